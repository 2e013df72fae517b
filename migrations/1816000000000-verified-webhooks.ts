import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An endpoint on a new host gets no events until it has accepted a test. Existing endpoints count as verified. */
export class VerifiedWebhooks1816000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Defaults to now: instances of the previous release send no tests, and their endpoints must not wait for one.
    await runner.query(`ALTER TABLE webhook_endpoints ADD COLUMN verified_at timestamptz(3) DEFAULT now()`);
    // Finds an endpoint's test among any number of waiting events.
    await runner.query(`
      CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (workspace_id, mode, endpoint_id, next_attempt_at)
        WHERE status = 'pending' AND event_type = 'webhook.test'`);
    await runner.query(triggerOn(['url', 'secret', 'status', 'verified_at']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(triggerOn(['url', 'secret', 'status']));
    await runner.query('DROP INDEX webhook_deliveries_tests');
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN verified_at');
  }
}

function triggerOn(columns: string[]): string {
  const of = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  return `
      CREATE OR REPLACE TRIGGER webhook_endpoints_changed AFTER UPDATE ON webhook_endpoints FOR EACH ROW
        WHEN (${of('OLD')} IS DISTINCT FROM ${of('NEW')}) EXECUTE FUNCTION tell_of_changed_webhook()`;
}
