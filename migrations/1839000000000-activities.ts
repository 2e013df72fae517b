import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Notes about leads, and calls, emails and meetings with them. */
export class Activities1839000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS activities (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        lead_id uuid NOT NULL,
        type text NOT NULL CHECK (type IN ('note', 'call', 'email', 'meeting', 'other')),
        direction text CHECK (direction IN ('in', 'out')),
        text text NOT NULL,
        at timestamptz(3) NOT NULL,
        external_id text,
        -- Who logged it: type, id and name. It stays when the credential is revoked or the person leaves.
        author json NOT NULL,
        edited_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id)
      )`,
      `CREATE INDEX IF NOT EXISTS activities_lead ON activities (workspace_id, mode, lead_id, at, id)`,
      `CREATE UNIQUE INDEX IF NOT EXISTS activities_external_id ON activities (workspace_id, mode, lead_id, external_id)
        WHERE external_id IS NOT NULL`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS activities']);
  }
}
