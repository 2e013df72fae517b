import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Who is exporting. */
export class ExportsUnderWay1851000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS exports_under_way (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        -- The id of a credential or a person, with its prefix.
        holder text NOT NULL,
        -- Random, of one export: after its lease has expired, it no longer has the row.
        token uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, mode, holder)
      )`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS exports_under_way']);
  }
}
