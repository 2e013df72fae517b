import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns that the API shows. Whoever rotates the secret counts it: encrypting it anew under another key is no change. */
const SHOWN = ['url', 'events', 'description', 'status', 'disabled_reason', 'expires_at', 'verified_at'];
const shownOf = (row: string) => `(${SHOWN.map((column) => `${row}.${column}`).join(', ')})`;

/** Counts the changes of webhook endpoints, including those made by deliveries. */
export class WebhookRevisions1824000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN revision integer NOT NULL DEFAULT 1');
    await runner.query(`
      CREATE TRIGGER webhook_endpoints_revision BEFORE UPDATE ON webhook_endpoints FOR EACH ROW
      WHEN (NEW.revision = OLD.revision AND ${shownOf('NEW')} IS DISTINCT FROM ${shownOf('OLD')})
      EXECUTE FUNCTION count_revision()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER webhook_endpoints_revision ON webhook_endpoints');
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN revision');
  }
}
