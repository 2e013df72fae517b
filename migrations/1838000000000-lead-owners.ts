import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Leads can belong to a member, and new leads can be assigned automatically. Blocks writes for no longer than half a second. */
export class LeadOwners1838000000000 implements MigrationInterface {
  /** Builds the index without blocking writes. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['ALTER TABLE leads ADD COLUMN IF NOT EXISTS owner_id uuid']);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS leads_owner');
    // Leads without an owner aren't in it, so it costs them nothing.
    await runner.query(`
      CREATE INDEX CONCURRENTLY leads_owner ON leads (workspace_id, mode, owner_id, created_at, id)
        INCLUDE (archived_at) WHERE owner_id IS NOT NULL`);
    await inShortLock(runner, [
      'ALTER TABLE leads DROP CONSTRAINT IF EXISTS leads_owner_is_member',
      `ALTER TABLE leads ADD CONSTRAINT leads_owner_is_member FOREIGN KEY (workspace_id, owner_id)
         REFERENCES memberships (workspace_id, user_id) ON DELETE SET NULL (owner_id) NOT VALID`,
    ]);
    await runner.query('ALTER TABLE leads VALIDATE CONSTRAINT leads_owner_is_member');
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS lead_assignments (
         workspace_id uuid NOT NULL REFERENCES workspaces (id),
         mode text NOT NULL CHECK (mode IN ('live', 'test')),
         policy text NOT NULL CHECK (policy IN ('none', 'fixed', 'round_robin')),
         -- Counts the leads that were given. Whoever gives one holds this row.
         turn bigint NOT NULL DEFAULT 0,
         PRIMARY KEY (workspace_id, mode)
       )`,
      `CREATE TABLE IF NOT EXISTS lead_assignees (
         workspace_id uuid NOT NULL,
         mode text NOT NULL,
         user_id uuid NOT NULL,
         -- The turn in which the member was given a lead last.
         given bigint NOT NULL DEFAULT 0,
         PRIMARY KEY (workspace_id, mode, user_id),
         FOREIGN KEY (workspace_id, mode) REFERENCES lead_assignments (workspace_id, mode),
         FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
       )`,
      'CREATE INDEX IF NOT EXISTS lead_assignees_member ON lead_assignees (workspace_id, user_id)',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lead_assignees');
    await runner.query('DROP TABLE lead_assignments');
    await inShortLock(runner, ['ALTER TABLE leads DROP COLUMN owner_id']);
  }
}
