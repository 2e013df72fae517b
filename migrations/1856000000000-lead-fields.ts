import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** The custom fields that workspaces have added to their leads. */
export class LeadFields1856000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS lead_fields (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        key text NOT NULL CHECK (key ~ '^[a-z][a-z0-9_]{0,39}$'),
        label text NOT NULL,
        description text,
        type text NOT NULL,
        -- Objects with value, label and archived. They are read as a whole, in their order.
        options json NOT NULL,
        is_required boolean NOT NULL,
        position integer NOT NULL,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (workspace_id, mode, id)
      )`,
      'CREATE UNIQUE INDEX IF NOT EXISTS lead_fields_key ON lead_fields (workspace_id, mode, key)',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS lead_fields']);
  }
}
