import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { ResponseTargetRepository } from '../application/response-targets';

const FIND = `SELECT minutes FROM response_targets WHERE ${IN_WORKSPACE}`;

@Injectable()
export class PostgresResponseTargets extends ResponseTargetRepository {
  constructor(private readonly database: Database) {
    super();
  }

  find(ref: WorkspaceRef): Promise<number | null> {
    return this.read(FIND, ref);
  }

  lock(ref: WorkspaceRef): Promise<number | null> {
    return this.read(`${FIND} FOR NO KEY UPDATE`, ref);
  }

  /** `checked_until` stays: with a shorter target, all leads that wait since later are late by now. */
  async save(ref: WorkspaceRef, minutes: number | null, now: Date): Promise<void> {
    if (minutes === null) {
      await this.database.sql(`DELETE FROM response_targets WHERE ${IN_WORKSPACE}`, workspaceKey(ref));
      return;
    }
    const from = new Date(now.getTime() - minutes * 60_000);
    await this.database.sql(
      `INSERT INTO response_targets (workspace_id, mode, minutes, counts_from, checked_until)
       VALUES ($1, $2, $3, $4, $4)
       ON CONFLICT (workspace_id, mode) DO UPDATE SET minutes = excluded.minutes`,
      [...workspaceKey(ref), minutes, from],
    );
  }

  private async read(text: string, ref: WorkspaceRef): Promise<number | null> {
    const [row] = await this.database.sql<{ minutes: number }>(text, workspaceKey(ref));
    return row?.minutes ?? null;
  }
}
