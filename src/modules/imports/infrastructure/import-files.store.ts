import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { ImportFiles } from '../application/import-files';

const UNUSED = `NOT EXISTS (
  SELECT FROM imports i WHERE (i.workspace_id, i.mode, i.file_id) = (f.workspace_id, f.mode, f.id)
)`;

@Injectable()
export class PostgresImportFiles extends ImportFiles {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async begin(ref: WorkspaceRef): Promise<string> {
    const id = randomUUID();
    await this.database.sql(
      `INSERT INTO import_files (workspace_id, mode, id, bytes, created_at) VALUES ($1, $2, $3, 0, $4)`,
      [...workspaceKey(ref), id, this.clock.now()],
    );
    return id;
  }

  async append(ref: WorkspaceRef, fileId: string, position: number, bytes: Buffer): Promise<boolean> {
    const rows = await this.database.sql(
      `WITH file AS (
         UPDATE import_files SET bytes = bytes + length($5::bytea) WHERE ${IN_WORKSPACE} AND id = $3 RETURNING 1
       )
       INSERT INTO import_chunks (workspace_id, mode, file_id, position, bytes)
       SELECT $1, $2, $3, $4::int, $5 FROM file RETURNING 1`,
      [...workspaceKey(ref), fileId, position, bytes],
    );
    return rows.length > 0;
  }

  async *read(ref: WorkspaceRef, fileId: string): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const [row] = await this.database.sql<{ bytes: Buffer }>(
        `SELECT bytes FROM import_chunks WHERE ${IN_WORKSPACE} AND file_id = $3 AND position = $4`,
        [...workspaceKey(ref), fileId, position],
      );
      if (!row) return;
      yield row.bytes;
    }
  }

  async drop(ref: WorkspaceRef, fileId: string): Promise<void> {
    await this.database.sql(`DELETE FROM import_files WHERE ${IN_WORKSPACE} AND id = $3`, [
      ...workspaceKey(ref),
      fileId,
    ]);
  }

  async dropUnused(ref: WorkspaceRef, fileId: string): Promise<void> {
    await this.database.sql(`DELETE FROM import_files f WHERE ${IN_WORKSPACE} AND id = $3 AND ${UNUSED}`, [
      ...workspaceKey(ref),
      fileId,
    ]);
  }

  async storedBytes(ref: WorkspaceRef): Promise<number> {
    const [row] = await this.database.sql<{ bytes: string }>(
      `SELECT coalesce(sum(bytes), 0) AS bytes FROM import_files WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    return Number(row!.bytes);
  }

  async dropAbandoned(before: Date): Promise<void> {
    await this.database.sql(`DELETE FROM import_files f WHERE created_at < $1 AND ${UNUSED}`, [before]);
  }
}
