import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Imports of leads: their files, the rows of these, and the results. */
export class Imports1858000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const key = 'workspace_id, mode';
    const columns = `
        workspace_id uuid NOT NULL,
        mode text NOT NULL`;
    await runner.query('CREATE SEQUENCE IF NOT EXISTS import_turns');
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS imports (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        status text NOT NULL
          CHECK (status IN ('awaiting_file', 'checking', 'ready', 'importing', 'completed', 'failed', 'cancelled')),
        options json NOT NULL,
        file_id uuid,
        -- Who checks the file, until due_at.
        claim uuid,
        -- The check that made the report and the batches.
        check_id uuid,
        report json,
        next_batch integer NOT NULL,
        created integer NOT NULL,
        updated integer NOT NULL,
        unchanged integer NOT NULL,
        failed integer NOT NULL,
        failure json,
        attempts integer NOT NULL,
        due_at timestamptz(3) NOT NULL,
        -- Running imports take turns. Null before the first.
        turn bigint,
        -- Type, id and name. It stays when the credential is revoked or the person leaves.
        created_by json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        -- When the file and the rows were dropped.
        dropped_at timestamptz(3),
        revision integer NOT NULL,
        PRIMARY KEY (${key}, id)
      )`,
      `CREATE INDEX IF NOT EXISTS imports_created_at ON imports (${key}, created_at, id)`,
      `CREATE INDEX IF NOT EXISTS imports_open ON imports (${key}) WHERE finished_at IS NULL`,
      // One at a time.
      `CREATE UNIQUE INDEX IF NOT EXISTS imports_running ON imports (${key}) WHERE status = 'importing'`,
      `CREATE INDEX IF NOT EXISTS imports_file ON imports (${key}, file_id) WHERE file_id IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS imports_turn ON imports (turn NULLS FIRST) WHERE status = 'importing'`,
      `CREATE INDEX IF NOT EXISTS imports_to_check ON imports (due_at) WHERE status = 'checking'`,
      `CREATE INDEX IF NOT EXISTS imports_to_drop ON imports (created_at) WHERE dropped_at IS NULL`,
    ]);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS import_files (${columns},
        id uuid NOT NULL,
        bytes integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (${key}, id)
      )`);
    await runner.query(`CREATE INDEX IF NOT EXISTS import_files_created_at ON import_files (created_at)`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS import_chunks (${columns},
        file_id uuid NOT NULL,
        position integer NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (${key}, file_id, position),
        FOREIGN KEY (${key}, file_id) REFERENCES import_files (${key}, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS import_batches (${columns},
        import_id uuid NOT NULL,
        check_id uuid NOT NULL,
        number integer NOT NULL,
        first_row integer NOT NULL,
        -- JSON: of each row its line and its cells.
        rows bytea NOT NULL,
        PRIMARY KEY (${key}, import_id, check_id, number),
        FOREIGN KEY (${key}, import_id) REFERENCES imports (${key}, id)
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS import_rows (${columns},
        import_id uuid NOT NULL,
        number integer NOT NULL,
        line integer NOT NULL,
        status text NOT NULL CHECK (status IN ('created', 'updated', 'unchanged', 'failed')),
        lead_id uuid,
        problems json,
        PRIMARY KEY (${key}, import_id, number),
        FOREIGN KEY (${key}, import_id) REFERENCES imports (${key}, id)
      )`);
    await runner.query(
      `CREATE INDEX IF NOT EXISTS import_rows_status ON import_rows (${key}, import_id, status, number)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, [
      'DROP TABLE IF EXISTS import_rows, import_batches, import_chunks, import_files, imports',
      'DROP SEQUENCE IF EXISTS import_turns',
    ]);
  }
}
