import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Puts the search text first in the GIN index. PostgreSQL checks a row column by column until one doesn't match, so the
 * workspace, which all leads of a large one share, is only checked for the few leads that contain the words. The mode is
 * omitted, because it excludes few more leads than the workspace does.
 */
export class SearchByWordsFirst1808000000000 implements MigrationInterface {
  /** Doesn't block writes. An index that an interrupted run left behind is rebuilt. */
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
