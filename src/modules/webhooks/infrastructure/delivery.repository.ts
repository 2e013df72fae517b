import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CauseType } from '../../../kernel/cause';
import type { DomainEvent } from '../../../kernel/domain-event';
import { type DeliveryId, fromUuid, toUuid, type WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { workspaceKey } from '../../../platform/persistence/workspace-key';
import { DeliveryRepository } from '../application/delivery-repository';
import { EventAccess } from '../application/event-access';
import { type DeliveryStatus, type DeliveryView, MAX_ATTEMPTS_SHOWN } from '../domain/delivery';
import { envelopeText, hidingFields } from '../domain/event-envelope';
import { ONLY_ATTEMPT } from '../domain/retry-schedule';
import { TEST_EVENT } from '../domain/webhook-endpoint';

interface AttemptJson {
  at: string;
  duration: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

interface Row {
  id: string;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  created_at: Date;
  next_attempt_at: Date | null;
  attempt_log: AttemptJson[];
}

interface EventRow {
  id: string;
  type: string;
  occurred_at: Date;
  data: string;
  previous: string | null;
  cause_type: CauseType;
  cause_id: string | null;
  scopes: string[] | null;
}

const COLUMNS = `id, event_id, event_type, status, created_at, next_attempt_at, coalesce((
    SELECT json_agg(json_build_object('at', a.at, 'duration', a.duration_ms, 'responseStatus', a.response_status,
      'responseBody', a.response_body, 'error', a.error) ORDER BY a.number)
    FROM (
      SELECT * FROM webhook_attempts
      WHERE (workspace_id, mode, delivery_id) = (d.workspace_id, d.mode, d.id)
      ORDER BY number DESC LIMIT ${MAX_ATTEMPTS_SHOWN}
    ) a
  ), '[]') AS attempt_log`;
const OF_ENDPOINT = 'd.workspace_id = $1 AND d.mode = $2 AND d.endpoint_id = $3';
/** Limits deliveries to types that the caller may read; null means all. */
const readable = (parameter: string) => `(${parameter}::text[] IS NULL OR d.event_type = ANY(${parameter}))`;
const IS_PENDING_TEST = `d.status = 'pending' AND d.event_type = '${TEST_EVENT}'`;
const WAKE = `SELECT pg_notify('webhook_deliveries', '')`;

@Injectable()
export class PostgresDeliveryRepository extends DeliveryRepository {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccess,
  ) {
    super();
  }

  async addTest(
    event: DomainEvent,
    endpoint: WebhookId,
    { isRetried }: { isRetried: boolean },
  ): Promise<DeliveryView> {
    const { workspace, id, type, timestamp } = event;
    const insert = {
      text: `INSERT INTO webhook_deliveries AS d
               (workspace_id, mode, id, endpoint_id, event_id, event_type, next_attempt_at, created_at, step)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) RETURNING ${COLUMNS}`,
      values: [
        ...[...workspaceKey(workspace), randomUUID(), toUuid(endpoint), toUuid(id)],
        ...[type, timestamp, isRetried ? 0 : ONLY_ATTEMPT],
      ],
    };
    const [row] = await this.database.query<Row>(withEvents(insert, [event]));
    await this.database.sql(WAKE);
    return toView(row!);
  }

  async pendingTest(ref: WorkspaceRef, endpoint: WebhookId): Promise<DeliveryView | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE ${OF_ENDPOINT} AND ${IS_PENDING_TEST} AND d.step = $4`,
      [...workspaceKey(ref, endpoint), ONLY_ATTEMPT],
    );
    return row && toView(row);
  }

  async giveUpTests(ref: WorkspaceRef, endpoint: WebhookId): Promise<void> {
    await this.database.sql(
      `UPDATE webhook_deliveries d SET status = 'failed', next_attempt_at = NULL
       WHERE ${OF_ENDPOINT} AND ${IS_PENDING_TEST}`,
      workspaceKey(ref, endpoint),
    );
  }

  async retry(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    now: Date,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined> {
    const [row] = await this.database.sql<Row>(
      `UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = $5,
         step = CASE d.event_type WHEN '${TEST_EVENT}' THEN ${ONLY_ATTEMPT} ELSE 0 END
       WHERE ${OF_ENDPOINT} AND d.id = $4 AND ${readable('$6')} RETURNING ${COLUMNS}`,
      [...workspaceKey(ref, endpoint, id), now, types ?? null],
    );
    await this.database.sql(WAKE);
    return row && toView(row);
  }

  async recover(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    since: Date,
    now: Date,
    types?: readonly string[],
  ): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      `WITH queued AS (
         UPDATE webhook_deliveries d SET status = 'pending', step = 0, next_attempt_at = $5
         WHERE ${OF_ENDPOINT} AND d.created_at >= $4 AND d.status = 'failed' AND d.event_type <> '${TEST_EVENT}'
           AND ${readable('$6')} RETURNING 1
       ) SELECT count(*)::int AS count FROM queued`,
      [...workspaceKey(ref, endpoint), since, now, types ?? null],
    );
    await this.database.sql(WAKE);
    return row!.count;
  }

  async giveUpOthers(ref: WorkspaceRef, endpoint: WebhookId, types: readonly string[]): Promise<void> {
    await this.database.sql(
      `UPDATE webhook_deliveries d SET status = 'failed', next_attempt_at = NULL
       WHERE ${OF_ENDPOINT} AND d.status = 'pending' AND d.event_type <> ALL($4::text[])`,
      [...workspaceKey(ref, endpoint), types],
    );
  }

  async find(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE ${OF_ENDPOINT} AND d.id = $4 AND ${readable('$5')}`,
      [...workspaceKey(ref, endpoint, id), types ?? null],
    );
    return row && toView(row);
  }

  async body(ref: WorkspaceRef, endpoint: WebhookId, delivery: DeliveryId): Promise<string | undefined> {
    const [row] = await this.database.sql<EventRow>(
      `SELECT event.id, event.type, event.occurred_at, event.data::text, event.previous::text,
              event.cause_type, event.cause_id, webhook_scopes(e) AS scopes
       FROM webhook_deliveries d
       JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (d.workspace_id, d.mode, d.endpoint_id)
       JOIN events event ON (event.workspace_id, event.mode, event.id) = (d.workspace_id, d.mode, d.event_id)
       WHERE ${OF_ENDPOINT} AND d.id = $4`,
      workspaceKey(ref, endpoint, delivery),
    );
    if (!row) return undefined;
    const { workspaceId, mode } = ref;
    const { id, occurred_at: occurredAt, cause_type: type, cause_id: causeId, scopes, ...rest } = row;
    const cause = { type, id: causeId };
    const event = { ...rest, id: fromUuid('evt', id), occurredAt, workspaceId, mode, cause };
    return envelopeText(hidingFields(event, this.access.hiddenFields(event.type, scopes)));
  }

  list(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    { status, types }: { status?: DeliveryStatus; types?: readonly string[] },
    request: PageRequest,
  ): Promise<Slice<DeliveryView>> {
    const parameters = new Parameters();
    for (const value of workspaceKey(ref, endpoint)) parameters.add(value);
    const conditions = [
      OF_ENDPOINT,
      ...parameters.when(status, (place) => `d.status = ${place}`),
      ...parameters.when(types, (place) => `d.event_type = ANY(${place}::text[])`),
    ];
    const sort = { column: 'created_at', type: 'timestamptz', nullable: false };
    const from = 'webhook_deliveries d';
    return readSlice(
      this.database,
      { columns: COLUMNS, from, conditions, parameters, sort, request },
      toView,
    );
  }
}

function toView(row: Row): DeliveryView {
  return {
    id: fromUuid('del', row.id),
    eventId: fromUuid('evt', row.event_id),
    eventType: row.event_type,
    status: row.status,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    attempts: row.attempt_log.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}
