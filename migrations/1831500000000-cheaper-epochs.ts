import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each event asks for its epoch, and that took longer than all else about it. A session now works it out once: it can't
 * change while the session lasts, since each run of the database server has an epoch of its own.
 */
export class CheaperEpochs1831500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION present_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
        DECLARE
          known text := current_setting('gala.epoch', true);
        BEGIN
          -- After a rollback the setting is an empty text.
          IF known <> '' THEN RETURN known; END IF;
          SELECT epoch + (cluster IS DISTINCT FROM present_cluster())::int INTO STRICT known
          FROM event_epochs ORDER BY epoch DESC LIMIT 1;
          -- The sessions of a standby outlive its promotion, and its primary may begin further epochs before.
          IF NOT pg_is_in_recovery() THEN PERFORM set_config('gala.epoch', known, false); END IF;
          RETURN known;
        END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION present_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
        BEGIN
          RETURN (
            SELECT epoch + (cluster IS DISTINCT FROM present_cluster())::int
            FROM event_epochs ORDER BY epoch DESC LIMIT 1
          );
        END $$`);
  }
}
