import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { LeadOwners } from '../application/lead-owners';
import { type Assignment, type AssignmentPolicy, NO_ASSIGNMENT } from '../domain/assignment';
import { Turns } from '../domain/turns';
import { OwnSettings } from './own-settings';

@Injectable()
export class PostgresLeadOwners extends LeadOwners {
  constructor(
    private readonly database: Database,
    private readonly settings: OwnSettings,
  ) {
    super();
  }

  async assigns(ref: WorkspaceRef): Promise<boolean> {
    return (await this.settings.find(ref)).assigns;
  }

  async next(ref: WorkspaceRef): Promise<UserId | null> {
    const turns = await this.lockTurns(ref);
    const next = turns?.next ?? null;
    if (!turns || !next) return null;
    turns.take();
    await this.saveTurns(ref, turns);
    return next;
  }

  /** Two statements: the second one sees what was committed while the first one waited for the row. */
  async lockTurns(ref: WorkspaceRef): Promise<Turns | undefined> {
    const key = workspaceKey(ref);
    const [counted] = await this.database.sql<{ turn: string }>(
      `SELECT turn FROM lead_assignments WHERE ${IN_WORKSPACE} AND policy <> 'none' FOR NO KEY UPDATE`,
      key,
    );
    if (!counted) return undefined;
    const rows = await this.database.sql<{ user_id: string; given: string }>(
      `SELECT a.user_id, a.given FROM lead_assignees a JOIN memberships m USING (workspace_id, user_id)
       WHERE a.workspace_id = $1 AND a.mode = $2 AND m.leaving_at IS NULL AND NOT m.is_paused
       ORDER BY a.user_id FOR KEY SHARE OF m`,
      key,
    );
    const assignees = rows.map((row) => ({
      userId: fromUuid('user', row.user_id),
      given: Number(row.given),
    }));
    return new Turns(Number(counted.turn), assignees);
  }

  async saveTurns(ref: WorkspaceRef, { count, latest }: Turns): Promise<void> {
    if (latest.size === 0) return;
    await this.database.sql(
      `WITH counted AS (UPDATE lead_assignments SET turn = $3 WHERE ${IN_WORKSPACE})
       UPDATE lead_assignees SET given = taken.turn FROM unnest($4::uuid[], $5::bigint[]) AS taken (user_id, turn)
       WHERE ${IN_WORKSPACE} AND lead_assignees.user_id = taken.user_id`,
      [...workspaceKey(ref), count, [...latest.keys()].map(toUuid), [...latest.values()]],
    );
  }

  async assignment(ref: WorkspaceRef): Promise<Assignment> {
    const rows = await this.database.sql<{ policy: AssignmentPolicy; user_id: string | null }>(
      `SELECT s.policy, chosen.user_id FROM lead_assignments s
       LEFT JOIN (
         SELECT a.* FROM lead_assignees a JOIN memberships m USING (workspace_id, user_id)
         WHERE m.leaving_at IS NULL
       ) AS chosen USING (workspace_id, mode)
       WHERE s.workspace_id = $1 AND s.mode = $2 ORDER BY chosen.user_id`,
      workspaceKey(ref),
    );
    const [first] = rows;
    if (!first) return NO_ASSIGNMENT;
    const members = rows.flatMap((row) => (row.user_id === null ? [] : [fromUuid('user', row.user_id)]));
    return { policy: first.policy, members };
  }

  async assign(ref: WorkspaceRef, { policy, members }: Assignment): Promise<boolean> {
    const key = workspaceKey(ref);
    await this.database.sql(
      `INSERT INTO lead_assignments (workspace_id, mode, policy) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, mode) DO UPDATE SET policy = excluded.policy`,
      [...key, policy],
    );
    const chosen = members.map(toUuid);
    const staying = await this.database.sql(
      `SELECT FROM memberships WHERE workspace_id = $1 AND user_id = ANY($2::uuid[]) AND leaving_at IS NULL
       ORDER BY user_id FOR KEY SHARE`,
      [key[0], chosen],
    );
    if (staying.length < chosen.length) return false;
    await this.database.sql(
      `DELETE FROM lead_assignees WHERE ${IN_WORKSPACE} AND user_id <> ALL($3::uuid[])`,
      [...key, chosen],
    );
    await this.database.sql(
      `INSERT INTO lead_assignees (workspace_id, mode, user_id) SELECT $1, $2, unnest($3::uuid[])
       ON CONFLICT DO NOTHING`,
      [...key, chosen],
    );
    return true;
  }
}
