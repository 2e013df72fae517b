import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CauseType } from '../../../kernel/cause';
import { type DeliveryId, fromUuid, toUuid, type WebhookId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { JobDatabase } from '../../../platform/persistence/job-database';
import { EventAccess } from '../application/event-access';
import { envelopeText, hidingFields } from '../domain/event-envelope';
import { TEST_EVENT } from '../domain/webhook-endpoint';
import { ONLY_ATTEMPT, retryDelay } from '../domain/retry-schedule';
import { type ClaimLimits, PER_WORKSPACE, SHARE } from './claim-limits';
import { placeOf } from './webhook.repository';
import type { Message, Outcome } from './webhook-sender';

/** How long a claim lasts: longer than any wait and attempt together. */
const LEASE_MS = 60_000;
/** How long a claimed delivery may wait for its turn. */
const WAIT_MS = 40_000;
/** An endpoint is disabled after failures alone for this long. */
const GIVE_UP_MS = 5 * 24 * 3600 * 1000;

const GONE = 'The endpoint answered 410 Gone.';
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
  cause_type: CauseType;
  cause_id: string | null;
  scopes: string[] | null;
}

/** A delivery that this instance holds the lease of. */
export interface Claim {
  readonly id: DeliveryId;
  readonly row: Pick<Row, 'workspace_id' | 'mode' | 'id' | 'endpoint_id' | 'step' | 'type'>;
  readonly endpointId: WebhookId;
  readonly workspaceId: WorkspaceId;
  /** The latest attempt for its endpoint has failed. */
  readonly isFailing: boolean;
  /** An attempt that starts by then ends before the lease does. */
  readonly sendBefore: Date;
  readonly message: Message;
}

export interface Attempt {
  readonly claim: Claim;
  readonly outcome: Outcome;
  /** When the attempt began. */
  readonly at: Date;
  readonly succeeded: boolean;
}

const isTest = ({ row }: Claim) => row.type === TEST_EVENT;

/** The SQL of the queue of deliveries. A lease is a `next_attempt_at` in the future. */
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
   * Claims due deliveries within the limits. A failing endpoint gets one. Endpoints whose deliveries have waited longest
   * come first, so that none is left out, however many have a backlog. An endpoint on an unverified host gets tests alone.
   */
  async claim(limits: ClaimLimits): Promise<Claim[]> {
    const now = this.clock.now();
    const rows = await this.database.query<Row>({
      text: `
        WITH waiting AS (
          SELECT e.workspace_id, e.mode, e.id, e.verified_at,
                 CASE
                   WHEN e.failing_since IS NOT NULL THEN 1
                   WHEN held.places IS NOT NULL THEN held.places
                   WHEN e.workspace_id = ANY($7::uuid[]) THEN ${SHARE}
                   ELSE $4::int END AS places
          FROM webhook_endpoints e
          LEFT JOIN unnest($5::uuid[], $6::int[]) AS held (endpoint_id, places) ON held.endpoint_id = e.id
          CROSS JOIN LATERAL (
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
          WHERE e.status = 'enabled' AND (e.expires_at IS NULL OR e.expires_at > $1) AND held.places IS DISTINCT FROM 0
          ORDER BY first.next_attempt_at LIMIT $3::int
        ), due AS MATERIALIZED (
          SELECT d.workspace_id, d.mode, d.id
          FROM (SELECT * FROM waiting WHERE verified_at IS NOT NULL) e CROSS JOIN LATERAL (
            SELECT workspace_id, mode, id FROM webhook_deliveries
            WHERE (workspace_id, mode, endpoint_id) = (e.workspace_id, e.mode, e.id)
              AND status = 'pending' AND next_attempt_at <= $1
            ORDER BY next_attempt_at LIMIT e.places
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
          LIMIT $3::int * 4
        ), fair AS (
          SELECT workspace_id, mode, id
          FROM (SELECT *, row_number() OVER (PARTITION BY workspace_id) AS place FROM due) AS numbered
          WHERE place <= ${PER_WORKSPACE} ORDER BY place LIMIT $3::int
        ), claimed AS (
          UPDATE webhook_deliveries d SET next_attempt_at = $2 FROM fair
          WHERE (d.workspace_id, d.mode, d.id) = (fair.workspace_id, fair.mode, fair.id)
          RETURNING d.workspace_id, d.mode, d.id, d.endpoint_id, d.event_id, d.step
        )
        SELECT c.*, e.url, e.failing_since IS NOT NULL AS is_failing, e.secret, e.previous_secret, e.previous_secret_ends_at, event.type, event.occurred_at,
               event.data::text, event.previous::text, event.cause_type, event.cause_id, webhook_scopes(e) AS scopes
        FROM claimed c
        JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (c.workspace_id, c.mode, c.endpoint_id)
        JOIN events event ON (event.workspace_id, event.mode, event.id) = (c.workspace_id, c.mode, c.event_id)`,
      values: [
        now,
        new Date(now.getTime() + LEASE_MS),
        limits.capacity,
        limits.perEndpoint,
        [...limits.ofHeld.keys()].map(toUuid),
        [...limits.ofHeld.values()],
        limits.fullWorkspaces.map(toUuid),
      ],
    });
    return rows.flatMap((row) => this.readable(row, now));
  }

  async recordSuccesses(attempts: readonly Attempt[]): Promise<void> {
    const done = attempts.map(({ claim, claim: { row }, outcome, at }) => ({
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

  /** Resolves to the reason for disabling the endpoint, if there is one. */
  async recordFailure({ claim, outcome, at }: Attempt): Promise<string | undefined> {
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
    if (outcome.status === 410) return GONE;
    if (!endpoint) return undefined;
    const isLast = delay === undefined && row.step < ONLY_ATTEMPT;
    if (endpoint.is_new && isLast && isTest(claim)) return NEVER_VERIFIED;
    const failingFor = now.getTime() - endpoint.failing_since.getTime();
    return failingFor >= GIVE_UP_MS ? ALWAYS_FAILED : undefined;
  }

  /** Resolves to true for the one instance that has disabled the endpoint. One that has expired is disabled already. */
  async disable({ row }: Claim, reason: string): Promise<boolean> {
    const disabled = await this.database.query({
      text: `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $4
             WHERE workspace_id = $1 AND mode = $2 AND id = $3 AND status = 'enabled' AND coalesce(expires_at > $5, true) RETURNING id`,
      values: [row.workspace_id, row.mode, row.endpoint_id, reason, this.clock.now()],
    });
    return disabled.length > 0;
  }

  /** Makes deliveries due at once, for any instance. */
  async release(claims: readonly Claim[]): Promise<void> {
    const rows = claims.map(({ row: { workspace_id, mode, id } }) => ({ workspace_id, mode, id }));
    await this.database.query({
      text: `UPDATE webhook_deliveries d SET next_attempt_at = $2
             FROM json_to_recordset($1::json) AS given(workspace_id uuid, mode text, id uuid)
             WHERE (d.workspace_id, d.mode, d.id) = (given.workspace_id, given.mode, given.id) AND status = 'pending'`,
      values: [JSON.stringify(rows), this.clock.now()],
    });
  }

  /** A delivery whose secret can't be decrypted is claimed again and again, and keeps no other from being sent. */
  private readable(row: Row, now: Date): Claim[] {
    try {
      return [this.toClaim(row, now)];
    } catch (error) {
      const endpoint = fromUuid('wh', row.endpoint_id);
      this.logger.warn(
        { ...describeError(error), endpoint },
        'the secret of a webhook endpoint can’t be decrypted',
      );
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
    const cause = { type: row.cause_type, id: row.cause_id };
    const event = { id, type, occurredAt, workspaceId, mode, cause, data, previous: before };
    return {
      id: fromUuid('del', row.id),
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
