import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The columns of an endpoint that the API shows. */
const SHOWN = ['url', 'events', 'description', 'status', 'disabled_reason', 'expires_at', 'verified_at'];

/**
 * Events name their cause, and webhook endpoints can skip events by it.
 *
 * The constant default rewrites no row. It is also the cause of events from before, and of those that instances of the
 * previous release append.
 */
export class EventCauses1836000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE webhook_endpoints ADD COLUMN skip_causes text[] NOT NULL DEFAULT '{}'`,
      revisionTrigger([...SHOWN, 'skip_causes']),
      `ALTER TABLE events ADD COLUMN cause_type text NOT NULL DEFAULT 'system', ADD COLUMN cause_id text`,
      queueingFunction('AND appended.cause_type <> ALL (e.skip_causes)'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      queueingFunction(''),
      'ALTER TABLE events DROP COLUMN cause_type, DROP COLUMN cause_id',
      revisionTrigger(SHOWN),
      'ALTER TABLE webhook_endpoints DROP COLUMN skip_causes',
    ]);
  }
}

function queueingFunction(furtherCondition: string): string {
  return `
    CREATE OR REPLACE FUNCTION queue_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO webhook_deliveries
          (workspace_id, mode, endpoint_id, event_id, event_type, next_attempt_at, created_at)
        SELECT e.workspace_id, e.mode, e.id, appended.id, appended.type, appended.occurred_at, appended.occurred_at
        FROM appended JOIN webhook_endpoints e USING (workspace_id, mode)
        WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND appended.type <> 'webhook.test'
          AND e.events && ARRAY['*', split_part(appended.type, '.', 1) || '.*', appended.type]
          ${furtherCondition}
          AND (e.expires_at IS NULL OR e.expires_at > appended.occurred_at)
          AND (e.scopes IS NULL OR webhook_may_read(e, appended.type));
        IF FOUND THEN PERFORM pg_notify('webhook_deliveries', ''); END IF;
        RETURN NULL;
      END $$`;
}

function revisionTrigger(columns: string[]): string {
  const of = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  return `
    CREATE OR REPLACE TRIGGER webhook_endpoints_revision BEFORE UPDATE ON webhook_endpoints FOR EACH ROW
      WHEN (NEW.revision = OLD.revision AND ${of('NEW')} IS DISTINCT FROM ${of('OLD')})
      EXECUTE FUNCTION count_revision()`;
}
