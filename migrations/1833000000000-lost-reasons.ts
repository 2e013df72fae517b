import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/**
 * Why leads were lost, and the outcome of a lead's stage. Columns without a default rewrite no table, and the foreign key is
 * validated without blocking writes.
 */
export class LostReasons1833000000000 implements MigrationInterface {
  /** All requests for leads queue behind a statement that waits for a lock on the table. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS lost_reasons (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        name text NOT NULL,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (workspace_id, mode, id)
      )`,
      'CREATE UNIQUE INDEX IF NOT EXISTS lost_reasons_name ON lost_reasons (workspace_id, mode, fold_text(name))',
    ]);
    await inShortLock(runner, [
      `ALTER TABLE leads
         ADD COLUMN IF NOT EXISTS outcome text,
         ADD COLUMN IF NOT EXISTS lost_reason_id uuid,
         ADD COLUMN IF NOT EXISTS lost_note text`,
    ]);
    await inShortLock(runner, [
      'ALTER TABLE leads DROP CONSTRAINT IF EXISTS leads_lost_reason',
      `ALTER TABLE leads ADD CONSTRAINT leads_lost_reason FOREIGN KEY (workspace_id, mode, lost_reason_id)
         REFERENCES lost_reasons (workspace_id, mode, id) NOT VALID`,
    ]);
    await runner.query('ALTER TABLE leads VALIDATE CONSTRAINT leads_lost_reason');
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      'ALTER TABLE leads DROP COLUMN IF EXISTS outcome, DROP COLUMN IF EXISTS lost_reason_id, DROP COLUMN IF EXISTS lost_note',
    ]);
    await inShortLock(runner, ['DROP TABLE IF EXISTS lost_reasons']);
  }
}
