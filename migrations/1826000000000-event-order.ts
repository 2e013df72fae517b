import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/**
 * Gives events an order in which a reader can skip none: by epoch, `settles_with`, number and id. See ADR 46.
 *
 * Existing events are in epoch 0, ordered by their ids. Their columns come from constant defaults, which rewrite no row.
 */
export class EventOrder1826000000000 implements MigrationInterface {
  /** Builds the index without blocking writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      // The last one is the present epoch. The key tells it from the epoch of the same number in another database that
      // was restored from the same backup.
      `CREATE TABLE IF NOT EXISTS event_epochs (
         epoch integer PRIMARY KEY,
         key text NOT NULL DEFAULT right(encode(uuid_send(gen_random_uuid()), 'hex'), 16),
         cluster text
       )`,
      'INSERT INTO event_epochs (epoch) VALUES (0) ON CONFLICT DO NOTHING',
      // The run of the database server, and the database in it. Every restore, recovery and promotion changes it.
      `CREATE OR REPLACE FUNCTION present_cluster() RETURNS text LANGUAGE plpgsql STABLE AS $$
         BEGIN
           RETURN extract(epoch FROM pg_postmaster_start_time()) || '/'
             || (SELECT oid FROM pg_database WHERE datname = current_database());
         END $$`,
      // After a move, events are in the next epoch before an instance has noticed it.
      `CREATE OR REPLACE FUNCTION present_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
         BEGIN
           RETURN (
             SELECT epoch + (cluster IS DISTINCT FROM present_cluster())::int
             FROM event_epochs ORDER BY epoch DESC LIMIT 1
           );
         END $$`,
      // The last event, in this order, that was deleted from each workspace.
      `CREATE TABLE IF NOT EXISTS deleted_events (
         workspace_id uuid NOT NULL,
         mode text NOT NULL,
         epoch integer NOT NULL,
         settles_with bigint NOT NULL,
         number bigint NOT NULL,
         event_id uuid NOT NULL,
         PRIMARY KEY (workspace_id, mode)
       )`,
      // Without a cache: numbers of different sessions are in the order in which they are taken.
      'CREATE SEQUENCE IF NOT EXISTS event_numbers CACHE 1',
      // The latest transaction that has ended by now, or that of the event itself if it is later. plpgsql takes a new
      // snapshot here, so those are counted that ended while the statement waited for a lock.
      `CREATE OR REPLACE FUNCTION latest_transaction() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
         BEGIN
           RETURN greatest(
             pg_current_xact_id()::text::bigint,
             pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1
           );
         END $$`,
      `ALTER TABLE events
         ADD COLUMN IF NOT EXISTS epoch integer NOT NULL DEFAULT 0,
         ADD COLUMN IF NOT EXISTS settles_with bigint NOT NULL DEFAULT 0,
         ADD COLUMN IF NOT EXISTS number bigint NOT NULL DEFAULT 0`,
      `ALTER TABLE events
         ALTER COLUMN epoch SET DEFAULT present_epoch(),
         ALTER COLUMN settles_with SET DEFAULT latest_transaction(),
         ALTER COLUMN number SET DEFAULT nextval('event_numbers')`,
      // A trigger, since instances of the previous release delete events too. Sorted, so that two can't deadlock.
      `CREATE OR REPLACE FUNCTION remember_deleted_events() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           INSERT INTO deleted_events AS known (workspace_id, mode, epoch, settles_with, number, event_id)
           SELECT DISTINCT ON (workspace_id, mode) workspace_id, mode, epoch, settles_with, number, id FROM deleted
           ORDER BY workspace_id, mode, epoch DESC, settles_with DESC, number DESC, id DESC
           ON CONFLICT (workspace_id, mode) DO UPDATE
           SET (epoch, settles_with, number, event_id)
             = (EXCLUDED.epoch, EXCLUDED.settles_with, EXCLUDED.number, EXCLUDED.event_id)
           WHERE (EXCLUDED.epoch, EXCLUDED.settles_with, EXCLUDED.number, EXCLUDED.event_id)
             > (known.epoch, known.settles_with, known.number, known.event_id);
           RETURN NULL;
         END $$`,
      'DROP TRIGGER IF EXISTS events_deleted ON events',
      `CREATE TRIGGER events_deleted AFTER DELETE ON events
         REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION remember_deleted_events()`,
    ]);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_in_order');
    await runner.query(`
      CREATE INDEX CONCURRENTLY events_in_order ON events (workspace_id, mode, epoch, settles_with, number, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_in_order');
    await runner.query('DROP TRIGGER events_deleted ON events');
    await runner.query('DROP FUNCTION remember_deleted_events()');
    await runner.query('ALTER TABLE events DROP COLUMN epoch, DROP COLUMN settles_with, DROP COLUMN number');
    await runner.query('DROP FUNCTION latest_transaction()');
    await runner.query('DROP SEQUENCE event_numbers');
    await runner.query('DROP TABLE deleted_events');
    await runner.query('DROP FUNCTION present_epoch()');
    await runner.query('DROP FUNCTION present_cluster()');
    await runner.query('DROP TABLE event_epochs');
  }
}
