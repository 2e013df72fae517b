import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events that subscribers within the service haven't handled yet. Each subscription is a trigger on `events`, created by
 * `createSubscription` in a migration of the subscribing module. Without subscriptions, appending an event costs nothing more.
 */
export class Subscriptions1806000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscriber_events (
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        event_id uuid NOT NULL,
        subscriber text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, mode, event_id, subscriber)
      )`);
    await runner.query(`CREATE INDEX subscriber_events_due ON subscriber_events (subscriber, due_at)`);
    await runner.query(`
      CREATE FUNCTION queue_for_subscriber() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO subscriber_events (workspace_id, mode, event_id, subscriber, due_at)
          VALUES (NEW.workspace_id, NEW.mode, NEW.id, TG_ARGV[0], NEW.occurred_at);
          RETURN NULL;
        END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION queue_for_subscriber()`);
    await runner.query(`DROP TABLE subscriber_events`);
  }
}
