import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'proposals_waiting';

/** Finds the proposals of a workspace that a client can still answer, by expiry. */
export class OpenProposals1871000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ${NAME} ON proposals (workspace_id, mode, valid_until, id)
        WHERE status IN ('sent', 'viewed') AND archived_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${NAME}`);
  }
}
