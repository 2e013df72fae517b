import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the due tasks of a person, whom one email tells of all. */
export class DueTasksOfPeople1855000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS tasks_unannounced_of');
    await runner.query(`
      CREATE INDEX CONCURRENTLY tasks_unannounced_of ON tasks (workspace_id, assignee_id, mode, announced_from)
        WHERE status = 'open' AND archived_at IS NULL AND NOT is_announced AND assignee_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tasks_unannounced_of');
  }
}
