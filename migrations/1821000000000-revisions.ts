import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['leads', 'proposals', 'spaces'];

/** Counts the changes of each object, as versions that don't depend on a clock. Calendar events already have `sequence`. */
export class Revisions1821000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // During a rolling upgrade, old instances write rows without a revision.
    await runner.query(`
      CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := OLD.revision + 1;
        RETURN NEW;
      END $$`);
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN revision integer NOT NULL DEFAULT 1`);
      await runner.query(`
        CREATE TRIGGER ${table}_revision BEFORE UPDATE ON ${table} FOR EACH ROW
        WHEN (NEW.revision = OLD.revision AND NEW.updated_at <> OLD.updated_at)
        EXECUTE FUNCTION count_revision()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP TRIGGER ${table}_revision ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN revision`);
    }
    await runner.query('DROP FUNCTION count_revision()');
  }
}
