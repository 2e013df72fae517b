import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, toUuid, type WebhookId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { JobDatabase } from '../../../platform/persistence/job-database';
import { EventAccess } from '../application/event-access';
import { envelopeText, hidingFields } from '../domain/event-envelope';
import { TEST_EVENT } from '../domain/webhook-endpoint';
import { ONLY_ATTEMPT, retryDelay } from '../domain/retry-schedule';
import type { ClaimLimits } from './claim-limits';
import { placeOf } from './sql-webhook-repository';
import type { Message, Outcome } from './webhook-sender';

/** How long an instance may be at one delivery before another takes it over: longer than any attempt takes. */
const LEASE_MS = 60_000;
/** And how long an attempt may wait for its turn before it would outlast that. */
const WAIT_MS = 40_000;
/** So long nothing but failures, and the endpoint is disabled. */
const GIVE_UP_MS = 5 * 24 * 3600 * 1000;

const ALWAYS_FAILED = 'Every delivery failed for five days.';
const NEVER_VERIFIED = 'No test event was answered with 2xx.';

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  endpoint_id: string;
  step: number;
  url: string;
  is_failing: boolean;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_ends_at: Date | null;
  event_id: string;
  type: string;
  occurred_at: Date;
  data: string;
  previous: string | null;
  scopes: string[] | null;
}

/** A delivery that this instance is at. */
export interface Claim {
  readonly row: Pick<Row, 'workspace_id' | 'mode' | 'id' | 'endpoint_id' | 'step' | 'type'>;
  readonly endpointId: WebhookId;
  readonly workspaceId: WorkspaceId;
  /** The last thing heard of its endpoint was a failure. */
  readonly isFailing: boolean;
  /** Its lease is long enough for an attempt until then. */
  readonly sendBefore: Date;
  readonly message: Message;
}

export interface Success {
  readonly claim: Claim;
  readonly outcome: Outcome;
  /** When the attempt began. */
  readonly at: Date;
}

const isTest = ({ row }: Claim) => row.type === TEST_EVENT;

/** What there is to deliver, shared by all instances: each row is claimed by one of them at a time. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: JobDatabase,
    private readonly secrets: SecretBox,
    private readonly access: EventAccess,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Claims what is due, and no more of one endpoint or workspace than the limits say: a backlog of one leaves the others
   * their places. An endpoint that fails gets one. Endpoints that have waited longest come first, so that however many
   * have a backlog none is left out. One on a new host gets tests alone until it has taken one.
   */
  async claim(limits: ClaimLimits): Promise<Claim[]> {
    const now = this.clock.now();
    const rows = await this.database.query<Row>({
      text: `
        WITH waiting AS (
          SELECT e.workspace_id, e.mode, e.id, e.failing_since, e.verified_at
          FROM webhook_endpoints e CROSS JOIN LATERAL (
            (SELECT next_attempt_at FROM webhook_deliveries
             WHERE (workspace_id, mode, endpoint_id) = (e.workspace_id, e.mode, e.id)
               AND status = 'pending' AND next_attempt_at <= $1 AND e.verified_at IS NOT NULL
             ORDER BY next_attempt_at LIMIT 1)
            UNION ALL
            (SELECT next_attempt_at FROM webhook_deliveries
             WHERE (workspace_id, mode, endpoint_id) = (e.workspace_id, e.mode, e.id)
               AND status = 'pending' AND next_attempt_at <= $1 AND event_type = 'webhook.test' AND e.verified_at IS NULL
             ORDER BY next_attempt_at LIMIT 1)
          ) first
          WHERE e.status = 'enabled' AND (e.expires_at IS NULL OR e.expires_at > $1) AND e.id <> ALL($4::uuid[])
          ORDER BY first.next_attempt_at LIMIT $2::int
        ), due AS MATERIALIZED (
          SELECT d.workspace_id, d.mode, d.id
          FROM (SELECT * FROM waiting WHERE verified_at IS NOT NULL) e CROSS JOIN LATERAL (
            SELECT workspace_id, mode, id FROM webhook_deliveries
            WHERE (workspace_id, mode, endpoint_id) = (e.workspace_id, e.mode, e.id)
              AND status = 'pending' AND next_attempt_at <= $1
            ORDER BY next_attempt_at LIMIT CASE
              WHEN e.failing_since IS NOT NULL THEN 1
              WHEN e.workspace_id = ANY($6::uuid[]) THEN $8::int
              WHEN e.id = ANY($9::uuid[]) THEN $10::int
              ELSE $3::int END
            FOR NO KEY UPDATE SKIP LOCKED
          ) d
          UNION ALL
          SELECT d.workspace_id, d.mode, d.id
          FROM (SELECT * FROM waiting WHERE verified_at IS NULL) e CROSS JOIN LATERAL (
            SELECT workspace_id, mode, id FROM webhook_deliveries
            WHERE (workspace_id, mode, endpoint_id) = (e.workspace_id, e.mode, e.id)
              AND status = 'pending' AND next_attempt_at <= $1 AND event_type = 'webhook.test'
            ORDER BY next_attempt_at LIMIT 1
            FOR NO KEY UPDATE SKIP LOCKED
          ) d
          LIMIT $2::int * 4
        ), fair AS (
          SELECT workspace_id, mode, id
          FROM (SELECT *, row_number() OVER (PARTITION BY workspace_id) AS place FROM due) AS numbered
          WHERE place <= $7::int ORDER BY place LIMIT $2::int
        ), claimed AS (
          UPDATE webhook_deliveries d SET next_attempt_at = $5 FROM fair
          WHERE (d.workspace_id, d.mode, d.id) = (fair.workspace_id, fair.mode, fair.id)
          RETURNING d.workspace_id, d.mode, d.id, d.endpoint_id, d.event_id, d.step
        )
        SELECT c.*, e.url, e.failing_since IS NOT NULL AS is_failing, e.secret, e.previous_secret, e.previous_secret_ends_at, event.type, event.occurred_at,
               event.data::text, event.previous::text, webhook_scopes(e) AS scopes
        FROM claimed c
        JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (c.workspace_id, c.mode, c.endpoint_id)
        JOIN events event ON (event.workspace_id, event.mode, event.id) = (c.workspace_id, c.mode, c.event_id)`,
      values: [
        now,
        limits.capacity,
        limits.perEndpoint,
        limits.fullEndpoints.map(toUuid),
        new Date(now.getTime() + LEASE_MS),
        limits.fullWorkspaces.map(toUuid),
        limits.perWorkspace,
        limits.share,
        limits.fastEndpoints.map(toUuid),
        limits.perFastEndpoint,
      ],
    });
    return rows.flatMap((row) => this.readable(row, now));
  }

  /** All in one statement: under load one by one they would wait for each other, and the next claim for them. */
  async recordSuccesses(successes: readonly Success[]): Promise<void> {
    const done = successes.map(({ claim, claim: { row }, outcome, at }) => ({
      workspace_id: row.workspace_id,
      mode: row.mode,
      id: row.id,
      endpoint_id: row.endpoint_id,
      at,
      duration_ms: outcome.durationMs,
      response_status: outcome.status,
      response_body: outcome.body,
      tested_url: isTest(claim) ? claim.message.url : null,
    }));
    await this.database.query({
      text: `
        WITH done AS MATERIALIZED (
          SELECT * FROM json_to_recordset($1::json) AS d(workspace_id uuid, mode text, id uuid, endpoint_id uuid,
            at timestamptz, duration_ms int, response_status int, response_body text, tested_url text)
        ), recovered AS (
          SELECT workspace_id, mode, id FROM webhook_endpoints
          WHERE (failing_since IS NOT NULL OR verified_at IS NULL)
            AND (workspace_id, mode, id) IN (SELECT workspace_id, mode, endpoint_id FROM done)
          ORDER BY id FOR NO KEY UPDATE
        ), healthy AS (
          UPDATE webhook_endpoints e
          SET failing_since = NULL,
              verified_at = coalesce(e.verified_at, (
                SELECT max(done.at) FROM done
                WHERE (done.workspace_id, done.mode, done.endpoint_id, done.tested_url) = (e.workspace_id, e.mode, e.id, e.url)))
          FROM recovered r
          WHERE (e.workspace_id, e.mode, e.id) = (r.workspace_id, r.mode, r.id)
        ), logged AS (
          INSERT INTO webhook_attempts
            (workspace_id, mode, delivery_id, number, at, duration_ms, response_status, response_body)
          SELECT workspace_id, mode, id, attempts + 1, at, done.duration_ms, done.response_status, done.response_body
          FROM done JOIN webhook_deliveries USING (workspace_id, mode, id)
          ON CONFLICT DO NOTHING
        )
        UPDATE webhook_deliveries d SET status = 'succeeded', attempts = attempts + 1, next_attempt_at = NULL
        FROM done WHERE (d.workspace_id, d.mode, d.id) = (done.workspace_id, done.mode, done.id)`,
      values: [JSON.stringify(done)],
    });
  }

  /** Says why the endpoint is to be disabled, if it is. */
  async recordFailure(claim: Claim, outcome: Outcome, at: Date): Promise<string | undefined> {
    const { row } = claim;
    const now = this.clock.now();
    const delay = retryDelay(row.step + 1, outcome.retryAfterMs, Math.random());
    const [endpoint] = await this.database.query<{ failing_since: Date; is_new: boolean }>({
      text: `
        WITH failing AS (
          UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, $4)
          WHERE workspace_id = $1 AND mode = $2 AND id = $9 RETURNING failing_since, verified_at IS NULL AS is_new
        ), logged AS (
          INSERT INTO webhook_attempts
            (workspace_id, mode, delivery_id, number, at, duration_ms, response_status, response_body, error)
          SELECT workspace_id, mode, id, attempts + 1, $4::timestamptz, $5, $6, $7, $8
          FROM webhook_deliveries WHERE workspace_id = $1 AND mode = $2 AND id = $3
          ON CONFLICT DO NOTHING
        ), queued AS (
          UPDATE webhook_deliveries
          SET attempts = attempts + 1, step = step + 1, next_attempt_at = $10,
              status = CASE WHEN $10::timestamptz IS NULL THEN 'failed' ELSE 'pending' END
          WHERE workspace_id = $1 AND mode = $2 AND id = $3 AND status = 'pending'
        )
        SELECT failing_since, is_new FROM failing`,
      values: [
        ...[row.workspace_id, row.mode, row.id, at],
        ...[outcome.durationMs, outcome.status, outcome.body, outcome.error],
        row.endpoint_id,
        delay === undefined ? null : new Date(now.getTime() + delay),
      ],
    });
    if (!endpoint) return undefined;
    const isLast = delay === undefined && row.step < ONLY_ATTEMPT;
    if (endpoint.is_new && isLast && isTest(claim)) return NEVER_VERIFIED;
    const failingFor = now.getTime() - endpoint.failing_since.getTime();
    return failingFor >= GIVE_UP_MS ? ALWAYS_FAILED : undefined;
  }

  /** Says whether it was enabled until now: of several instances one is told so. */
  async disable({ row }: Claim, reason: string): Promise<boolean> {
    const disabled = await this.database.query({
      text: `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $4
             WHERE workspace_id = $1 AND mode = $2 AND id = $3 AND status = 'enabled' RETURNING id`,
      values: [row.workspace_id, row.mode, row.endpoint_id, reason],
    });
    return disabled.length > 0;
  }

  /** Gives claims back, for any instance to take at once. */
  async release(claims: readonly Claim[]): Promise<void> {
    const rows = claims.map(({ row: { workspace_id, mode, id } }) => ({ workspace_id, mode, id }));
    await this.database.query({
      text: `UPDATE webhook_deliveries d SET next_attempt_at = $2
             FROM json_to_recordset($1::json) AS given(workspace_id uuid, mode text, id uuid)
             WHERE (d.workspace_id, d.mode, d.id) = (given.workspace_id, given.mode, given.id) AND status = 'pending'`,
      values: [JSON.stringify(rows), this.clock.now()],
    });
  }

  /** One whose secret can't be opened waits until it can, and keeps no other from being sent. */
  private readable(row: Row, now: Date): Claim[] {
    try {
      return [this.toClaim(row, now)];
    } catch (error) {
      const endpoint = fromUuid('wh', row.endpoint_id);
      this.logger.warn({ ...describeError(error), endpoint }, 'a webhook’s secret can’t be read');
      return [];
    }
  }

  private toClaim(row: Row, now: Date): Claim {
    const endpointId = fromUuid('wh', row.endpoint_id);
    const workspaceId = fromUuid('ws', row.workspace_id);
    const open = (sealed: Buffer) => this.secrets.open(sealed, placeOf(endpointId));
    const { previous_secret: previous, previous_secret_ends_at: endsAt } = row;
    const id = fromUuid('evt', row.event_id);
    const { mode, type, data, previous: before, occurred_at: occurredAt } = row;
    const event = { id, type, occurredAt, workspaceId, mode, data, previous: before };
    return {
      row,
      endpointId,
      workspaceId,
      isFailing: row.is_failing,
      sendBefore: new Date(now.getTime() + WAIT_MS),
      message: {
        url: row.url,
        id,
        body: envelopeText(hidingFields(event, this.access.hiddenFields(type, row.scopes))),
        secrets: [open(row.secret), ...(previous && endsAt && endsAt > now ? [open(previous)] : [])],
      },
    };
  }
}
