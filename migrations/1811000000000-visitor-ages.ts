import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the visitors of proposals that are old enough to be forgotten. */
export class VisitorAges1811000000000 implements MigrationInterface {
  /** Visits are recorded meanwhile. What an interrupted run has left is made anew. */
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
