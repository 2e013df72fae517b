import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaces the index on the completed tasks of a lead by one without archived tasks, which a timeline leaves out. */
export class CompletedTasksOfLeads1854000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replace(
      runner,
      'tasks_completed',
      'tasks_completed_of_lead',
      'AND archived_at IS NULL',
      'CONCURRENTLY',
    );
  }

  /** Within a transaction, since TypeORM takes migrations back in one. */
  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, 'tasks_completed_of_lead', 'tasks_completed', '', '');
  }
}

async function replace(
  runner: QueryRunner,
  old: string,
  name: string,
  condition: string,
  way: 'CONCURRENTLY' | '',
): Promise<void> {
  await runner.query(`DROP INDEX ${way} IF EXISTS ${name}`);
  await runner.query(`
    CREATE INDEX ${way} ${name} ON tasks (workspace_id, mode, lead_id, completed_at, id)
      WHERE lead_id IS NOT NULL AND completed_at IS NOT NULL ${condition}`);
  await runner.query(`DROP INDEX ${way} IF EXISTS ${old}`);
}
