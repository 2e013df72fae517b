import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index that finds visitors of proposals that are old enough to be deleted. */
export class VisitorAges1811000000000 implements MigrationInterface {
  /** Doesn't block writes. An index that an interrupted run left behind is rebuilt. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS proposal_visitors_first_seen_at');
    await runner.query(
      'CREATE INDEX CONCURRENTLY proposal_visitors_first_seen_at ON proposal_visitors (first_seen_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX proposal_visitors_first_seen_at');
  }
}
