import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The tables whose rows give a member access, and end with the membership. */
const ACCESS = ['oauth_grants', 'calendar_feeds'];

/**
 * Members can be paused, which keeps new leads from them. The membership of a member who leaves stays until what they own
 * is handed over, but gives no access any more.
 *
 * Instances of the previous release don't know of leaving. While they run, they still let a leaving member in.
 */
export class PausingAndLeavingMembers1837000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `ALTER TABLE memberships
         ADD COLUMN is_paused boolean NOT NULL DEFAULT false,
         ADD COLUMN leaving_at timestamptz(3),
         -- Who removed the member, and who takes over. Neither needs to be a member any more.
         ADD COLUMN removed_by uuid,
         ADD COLUMN successor_id uuid`,
      `CREATE INDEX memberships_leaving ON memberships (leaving_at) WHERE leaving_at IS NOT NULL`,
      `CREATE FUNCTION end_access_of_leaving_member() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           ${ACCESS.map(
             (table) =>
               `DELETE FROM ${table} WHERE workspace_id = NEW.workspace_id AND user_id = NEW.user_id;`,
           ).join('\n           ')}
           RETURN NULL;
         END $$`,
      `CREATE TRIGGER memberships_leaving AFTER UPDATE OF leaving_at ON memberships
         FOR EACH ROW WHEN (NEW.leaving_at IS NOT NULL) EXECUTE FUNCTION end_access_of_leaving_member()`,
      // The lock waits for a transaction that is removing the member, and so sees what it has done.
      `CREATE FUNCTION refuse_leaving_member() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           PERFORM FROM memberships
             WHERE workspace_id = NEW.workspace_id AND user_id = NEW.user_id AND leaving_at IS NULL FOR KEY SHARE;
           IF NOT FOUND THEN
             RAISE EXCEPTION 'the member has left' USING ERRCODE = 'foreign_key_violation';
           END IF;
           RETURN NEW;
         END $$`,
      ...ACCESS.map(
        (table) => `CREATE TRIGGER ${table}_of_member BEFORE INSERT ON ${table}
          FOR EACH ROW EXECUTE FUNCTION refuse_leaving_member()`,
      ),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM memberships WHERE leaving_at IS NOT NULL');
    for (const table of ACCESS) await runner.query(`DROP TRIGGER ${table}_of_member ON ${table}`);
    await runner.query('DROP FUNCTION refuse_leaving_member()');
    await runner.query('DROP TRIGGER memberships_leaving ON memberships');
    await runner.query('DROP FUNCTION end_access_of_leaving_member()');
    await runner.query(`
      ALTER TABLE memberships DROP COLUMN is_paused, DROP COLUMN leaving_at, DROP COLUMN removed_by, DROP COLUMN successor_id`);
  }
}
