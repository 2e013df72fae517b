import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * PostgreSQL looks a row up in the columns of such an index one after the other, as long as they agree. With the words first,
 * the workspace, which all of a large one's leads have, is only looked up for those few that hold the words. The mode isn't
 * worth a column: it tells next to no leads apart that the workspace doesn't.
 */
export class SearchByWordsFirst1808000000000 implements MigrationInterface {
  /** Leads are written meanwhile. What an interrupted run has left is made anew. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_words');
    await runner.query(`
      CREATE INDEX CONCURRENTLY leads_words ON leads USING gin (search_text gin_trgm_ops, tags, workspace_id)
        WITH (fastupdate = on, gin_pending_list_limit = 256)`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_search');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX leads_words');
    await runner.query(`
      CREATE INDEX leads_search ON leads USING gin (workspace_id, mode, tags, search_text gin_trgm_ops)
        WITH (fastupdate = on, gin_pending_list_limit = 256)`);
  }
}
