import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhook endpoints and their deliveries.
 *
 * A trigger queues the deliveries in the statement that appends the events, so events and their deliveries are always
 * committed together. For a workspace without endpoints, this costs one index lookup.
 */
export class Webhooks1798000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        description text,
        status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
        disabled_reason text,
        secret bytea NOT NULL,
        previous_secret bytea,
        previous_secret_ends_at timestamptz(3),
        -- The time of the first failure since the last success.
        failing_since timestamptz(3),
        -- The app that created it, if any.
        installation_id uuid,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3),
        PRIMARY KEY (workspace_id, mode, id)
      )`);
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        endpoint_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        -- The position in the retry schedule, which restarts on a requested retry.
        step integer NOT NULL DEFAULT 0,
        -- When the next attempt is due or, while an instance holds a lease, when the lease expires.
        next_attempt_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, endpoint_id) REFERENCES webhook_endpoints (workspace_id, mode, id)
      )`);
    await runner.query(`
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (workspace_id, mode, endpoint_id, next_attempt_at)
        WHERE status = 'pending'`);
    await runner.query(`
      CREATE INDEX webhook_deliveries_log ON webhook_deliveries (workspace_id, mode, endpoint_id, created_at, id)`);
    await runner.query(`CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (created_at)`);
    await runner.query(`CREATE INDEX events_age ON events USING brin (occurred_at)`);
    await runner.query(`
      CREATE TABLE webhook_attempts (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        response_status integer,
        response_body text,
        error text,
        PRIMARY KEY (workspace_id, mode, delivery_id, number),
        FOREIGN KEY (workspace_id, mode, delivery_id)
          REFERENCES webhook_deliveries (workspace_id, mode, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE FUNCTION queue_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_deliveries
            (workspace_id, mode, endpoint_id, event_id, event_type, next_attempt_at, created_at)
          SELECT e.workspace_id, e.mode, e.id, appended.id, appended.type, appended.occurred_at, appended.occurred_at
          FROM appended JOIN webhook_endpoints e USING (workspace_id, mode)
          WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND appended.type <> 'webhook.test'
            AND e.events && ARRAY['*', split_part(appended.type, '.', 1) || '.*', appended.type];
          IF FOUND THEN PERFORM pg_notify('webhook_deliveries', ''); END IF;
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER webhook_deliveries_of_events AFTER INSERT ON events
        REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION queue_webhook_deliveries()`);
    // A removed app must not receive any more events.
    await runner.query(`
      CREATE FUNCTION delete_webhooks_of_removed_app() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE webhook_endpoints
          SET status = 'disabled', disabled_reason = 'The app that made it was removed.', deleted_at = NEW.removed_at
          WHERE workspace_id = NEW.workspace_id AND mode = NEW.mode AND installation_id = NEW.id AND deleted_at IS NULL;
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER webhooks_of_removed_app AFTER UPDATE OF removed_at ON oauth_installations
        FOR EACH ROW WHEN (NEW.removed_at IS NOT NULL) EXECUTE FUNCTION delete_webhooks_of_removed_app()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER webhooks_of_removed_app ON oauth_installations`);
    await runner.query(`DROP FUNCTION delete_webhooks_of_removed_app()`);
    await runner.query(`DROP TRIGGER webhook_deliveries_of_events ON events`);
    await runner.query(`DROP FUNCTION queue_webhook_deliveries()`);
    await runner.query(`DROP INDEX events_age`);
    for (const table of ['attempts', 'deliveries', 'endpoints']) {
      await runner.query(`DROP TABLE webhook_${table}`);
    }
  }
}
