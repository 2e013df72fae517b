import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifies dispatchers when an endpoint's URL, secret or status changes, so that they return deliveries that they have
 * claimed for it.
 */
export class ChangedWebhooks1809000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION tell_of_changed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('webhook_deliveries', NEW.id::text);
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER webhook_endpoints_changed AFTER UPDATE ON webhook_endpoints FOR EACH ROW
        WHEN ((OLD.url, OLD.secret, OLD.status) IS DISTINCT FROM (NEW.url, NEW.secret, NEW.status))
        EXECUTE FUNCTION tell_of_changed_webhook()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER webhook_endpoints_changed ON webhook_endpoints');
    await runner.query('DROP FUNCTION tell_of_changed_webhook()');
  }
}
