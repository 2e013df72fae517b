import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Uploaded images: what is known of them, their bytes, how much they take, and what shows them. */
export class Files1872000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const key = 'workspace_id, mode';
    const columns = `
        workspace_id uuid NOT NULL,
        mode text NOT NULL`;
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS files (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        name text,
        type text NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        bytes integer NOT NULL,
        renditions json NOT NULL,
        public_token text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (${key}, id)
      )`,
      `CREATE UNIQUE INDEX IF NOT EXISTS files_public_token ON files (public_token)`,
      `CREATE INDEX IF NOT EXISTS files_created_at ON files (${key}, created_at, id)`,
      `CREATE TABLE IF NOT EXISTS file_counts (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        files integer NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (${key})
      )`,
      `CREATE TABLE IF NOT EXISTS file_contents (${columns},
        file_id uuid NOT NULL,
        rendition text NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (${key}, file_id, rendition),
        FOREIGN KEY (${key}, file_id) REFERENCES files (${key}, id) ON DELETE CASCADE
      )`,
      // Images don't get smaller by compression.
      `ALTER TABLE file_contents ALTER COLUMN content SET STORAGE EXTERNAL`,
      `CREATE TABLE IF NOT EXISTS file_uses (${columns},
        kind text NOT NULL CHECK (kind IN ('proposal', 'brand')),
        user_id uuid NOT NULL,
        file_id uuid NOT NULL,
        is_public boolean NOT NULL,
        PRIMARY KEY (${key}, kind, user_id, file_id),
        FOREIGN KEY (${key}, file_id) REFERENCES files (${key}, id)
      )`,
      `CREATE INDEX IF NOT EXISTS file_uses_file ON file_uses (${key}, file_id)`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS file_uses, file_contents, file_counts, files']);
  }
}
