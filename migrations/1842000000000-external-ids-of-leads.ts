import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Ids that leads have in other systems. Blocks writes for no longer than half a second. */
export class ExternalIdsOfLeads1842000000000 implements MigrationInterface {
  /** Builds the index without blocking writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE leads ADD COLUMN IF NOT EXISTS external_id text']);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_external_id');
    // Leads without an external id aren't in it, so it costs them nothing.
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY leads_external_id ON leads (workspace_id, mode, external_id)
        WHERE external_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE leads DROP COLUMN external_id']);
  }
}
