import type { MigrationInterface, QueryRunner } from 'typeorm';

const GIN = 'WITH (fastupdate = on, gin_pending_list_limit = 256)';

/**
 * Indexes over text as given, which filters on folded text no longer use: each made creating a lead slower. An instance of the
 * former release still finds the same leads beside a new one, only more slowly.
 */
export class DropReplacedIndexes1825000000000 implements MigrationInterface {
  /** Leads are written meanwhile. An interrupted run starts over and skips what is done. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['leads_email', 'leads_source_open', 'leads_source_archived']) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    }
    // Searches have an index all the while.
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
