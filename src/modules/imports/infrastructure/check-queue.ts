import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { workspaceKey } from '../../../platform/persistence/workspace-key';
import { type CheckClaim, CheckQueue } from '../application/check-queue';

export const CHECK_LEASE_MS = 30_000;

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  attempts: number;
}

/** A lease is a `claim`, and a `due_at` in the future. */
@Injectable()
export class PostgresCheckQueue extends CheckQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async claim(atMost: number, busy: readonly CheckClaim[]): Promise<CheckClaim[]> {
    const now = this.clock.now();
    const token = randomUUID();
    const rows = await this.database.sql<Row>(
      // As a condition of the UPDATE, the query could run for each row, and claim more than it should.
      `WITH due AS MATERIALIZED (
         SELECT workspace_id, mode, id FROM imports JOIN (
           SELECT workspace_id, (
             SELECT max(turn) FROM imports WHERE workspace_id = waiting.workspace_id AND finished_at IS NULL
           ) AS last_turn
           FROM (
             SELECT DISTINCT workspace_id FROM imports
             WHERE status = 'checking' AND due_at <= $1 AND workspace_id <> ALL($5::uuid[])
           ) AS waiting
         ) AS workspaces USING (workspace_id)
         WHERE status = 'checking' AND due_at <= $1
         ORDER BY last_turn NULLS FIRST, due_at LIMIT $2 FOR NO KEY UPDATE OF imports SKIP LOCKED
       )
       UPDATE imports i SET claim = $3, due_at = $4, attempts = attempts + 1, turn = nextval('import_turns')
       FROM due WHERE (i.workspace_id, i.mode, i.id) = (due.workspace_id, due.mode, due.id)
       RETURNING i.workspace_id, i.mode, i.id, i.attempts`,
      [
        now,
        atMost,
        token,
        new Date(now.getTime() + CHECK_LEASE_MS),
        busy.map(({ ref }) => workspaceKey(ref)[0]),
      ],
    );
    return rows.map(({ workspace_id, mode, id, attempts }) => {
      const ref = { workspaceId: fromUuid('ws', workspace_id), mode };
      return { id: fromUuid('imp', id), ref, token, attempts };
    });
  }

  async release(claims: readonly CheckClaim[]): Promise<void> {
    await this.database.sql(
      `UPDATE imports SET due_at = $2, attempts = attempts - 1 WHERE claim = ANY($1::uuid[]) AND status = 'checking'`,
      [claims.map(({ token }) => token), this.clock.now()],
    );
  }
}
