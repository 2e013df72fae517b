import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A webhook endpoint gets only events that its creator may read, and expires with its creator. Existing endpoints have
 * neither scopes nor an expiry, so they keep their events.
 */
export class WebhookPrivileges1815000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The service writes its event types here when it starts.
    await runner.query(`CREATE TABLE event_types (type text PRIMARY KEY, read_scope text NOT NULL)`);
    await runner.query(`
      ALTER TABLE webhook_endpoints
        -- The scopes of the credential that chose its events; null means all.
        ADD COLUMN scopes text[],
        ADD COLUMN expires_at timestamptz(3)`);
    // The current scopes of an app: the operator may remove scopes, and the person who gave the grant may leave.
    await runner.query(`
      CREATE FUNCTION webhook_scopes(endpoint webhook_endpoints) RETURNS text[] LANGUAGE sql STABLE AS $$
        SELECT CASE
          WHEN endpoint.scopes IS NULL OR endpoint.installation_id IS NULL THEN endpoint.scopes
          ELSE ARRAY(
            SELECT DISTINCT scope
            FROM oauth_grants g
            JOIN oauth_installations i ON (i.workspace_id, i.mode, i.id) = (g.workspace_id, g.mode, g.installation_id)
            JOIN oauth_apps a ON a.id = i.app_id
            CROSS JOIN unnest(g.scopes) AS scope
            WHERE (g.workspace_id, g.mode, g.installation_id)
                = (endpoint.workspace_id, endpoint.mode, endpoint.installation_id)
              AND scope = ANY(endpoint.scopes) AND scope = ANY(a.scopes)
          )
        END $$`);
    await runner.query(
      queueingFunction(`
            AND (e.expires_at IS NULL OR e.expires_at > appended.occurred_at)
            AND (e.scopes IS NULL OR EXISTS (
              SELECT FROM event_types t WHERE t.type = appended.type AND t.read_scope = ANY(webhook_scopes(e))))`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(queueingFunction(''));
    await runner.query('DROP FUNCTION webhook_scopes(webhook_endpoints)');
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN scopes, DROP COLUMN expires_at');
    await runner.query('DROP TABLE event_types');
  }
}

function queueingFunction(furtherConditions: string): string {
  return `
      CREATE OR REPLACE FUNCTION queue_webhook_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_deliveries
            (workspace_id, mode, endpoint_id, event_id, event_type, next_attempt_at, created_at)
          SELECT e.workspace_id, e.mode, e.id, appended.id, appended.type, appended.occurred_at, appended.occurred_at
          FROM appended JOIN webhook_endpoints e USING (workspace_id, mode)
          WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND appended.type <> 'webhook.test'
            AND e.events && ARRAY['*', split_part(appended.type, '.', 1) || '.*', appended.type]${furtherConditions};
          IF FOUND THEN PERFORM pg_notify('webhook_deliveries', ''); END IF;
          RETURN NULL;
        END $$`;
}
