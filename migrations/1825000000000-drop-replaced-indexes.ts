import type { MigrationInterface, QueryRunner } from 'typeorm';

const GIN = 'WITH (fastupdate = on, gin_pending_list_limit = 256)';

/**
 * Drops indexes on the unfolded text, and tags from the search index. Filters on folded text don't use them, and each made
 * creating a lead slower. Instances of the previous release still find the same leads, only more slowly.
 */
export class DropReplacedIndexes1825000000000 implements MigrationInterface {
  /** Doesn't block writes. An interrupted run can be repeated and skips finished work. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['leads_email', 'leads_source_open', 'leads_source_archived']) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    }
    // Searches have an index at any time.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_words_rebuilt');
    await runner.query(`
      CREATE INDEX CONCURRENTLY leads_words_rebuilt ON leads USING gin (search_text gin_trgm_ops, workspace_id) ${GIN}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_words');
    await runner.query('ALTER INDEX leads_words_rebuilt RENAME TO leads_words');
  }

  async down(runner: QueryRunner): Promise<void> {
    const columns = 'workspace_id, mode';
    await runner.query(`CREATE INDEX leads_email ON leads (${columns}, lower(email))`);
    for (const [name, archived] of [
      ['leads_source_open', 'NULL'],
      ['leads_source_archived', 'NOT NULL'],
    ]) {
      await runner.query(
        `CREATE INDEX ${name} ON leads (${columns}, source, created_at, id) WHERE archived_at IS ${archived}`,
      );
    }
    await runner.query('DROP INDEX leads_words');
    await runner.query(
      `CREATE INDEX leads_words ON leads USING gin (search_text gin_trgm_ops, tags, workspace_id) ${GIN}`,
    );
  }
}
