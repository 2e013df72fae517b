import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statement that queues deliveries runs for each event. What only some endpoints need, the scopes of their creators,
 * is now read by a function of its own, so that PostgreSQL prepares it for those alone.
 */
export class LighterDeliveries1831600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION webhook_may_read(endpoint webhook_endpoints, event_type text) RETURNS boolean
      LANGUAGE plpgsql STABLE AS $$
        BEGIN
          RETURN EXISTS (
            SELECT FROM event_types t
            WHERE t.type = event_type AND t.read_scope = ANY(webhook_scopes(endpoint))
          );
        END $$`);
    await runner.query(queueingFunction('webhook_may_read(e, appended.type)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      queueingFunction(
        'EXISTS (SELECT FROM event_types t WHERE t.type = appended.type AND t.read_scope = ANY(webhook_scopes(e)))',
      ),
    );
    await runner.query('DROP FUNCTION webhook_may_read(webhook_endpoints, text)');
  }
}

function queueingFunction(mayRead: string): string {
  return `
      CREATE OR REPLACE FUNCTION queue_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_deliveries
            (workspace_id, mode, endpoint_id, event_id, event_type, next_attempt_at, created_at)
          SELECT e.workspace_id, e.mode, e.id, appended.id, appended.type, appended.occurred_at, appended.occurred_at
          FROM appended JOIN webhook_endpoints e USING (workspace_id, mode)
          WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND appended.type <> 'webhook.test'
            AND e.events && ARRAY['*', split_part(appended.type, '.', 1) || '.*', appended.type]
            AND (e.expires_at IS NULL OR e.expires_at > appended.occurred_at)
            AND (e.scopes IS NULL OR ${mayRead});
          IF FOUND THEN PERFORM pg_notify('webhook_deliveries', ''); END IF;
          RETURN NULL;
        END $$`;
}
