import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = { leads_unowned_open: 'NULL', leads_unowned_archived: 'NOT NULL' };

/** Finds and counts the leads without an owner where most have one. Like the other indexes of lists, in two parts. */
export class LeadsWithoutOwners1852000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, archived] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`
        CREATE INDEX CONCURRENTLY ${name} ON leads (workspace_id, mode, created_at, id)
          WHERE owner_id IS NULL AND archived_at IS ${archived}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}
