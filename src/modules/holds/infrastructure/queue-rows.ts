import { fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { StoredPolicy } from '../application/hold-repository';
import type { Claim } from '../domain/hold';
import { DEFAULT_POLICY } from '../domain/hold-policy';

const POLICY = `default_days AS "defaultDays", max_total_days AS "maxTotalDays", challenge_hours AS "challengeHours",
  winner_hours AS "winnerHours", remind_hours AS "remindHours", max_rank AS "maxRank",
  release_on_lost AS "releaseOnLost", revision`;

/** Of a workspace and mode without a row. */
export const FIRST_POLICY: StoredPolicy = { ...DEFAULT_POLICY, revision: 1 };

/** The row of each queue: its policy, the position that was given last, and the lock of all changes. */
export class QueueRows {
  constructor(private readonly database: Database) {}

  async read(ref: WorkspaceRef, lock: '' | 'FOR UPDATE' = ''): Promise<StoredPolicy | undefined> {
    const [row] = await this.database.sql<StoredPolicy>(
      `SELECT ${POLICY} FROM hold_queues WHERE ${IN_WORKSPACE} ${lock}`,
      workspaceKey(ref),
    );
    return row;
  }

  async open(ref: WorkspaceRef): Promise<StoredPolicy> {
    const known = await this.read(ref, 'FOR UPDATE');
    if (known) return known;
    await this.database.sql(
      `INSERT INTO hold_queues VALUES ($1, $2, 0, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [...workspaceKey(ref), ...valuesOf(FIRST_POLICY)],
    );
    return (await this.read(ref, 'FOR UPDATE'))!;
  }

  async save(ref: WorkspaceRef, policy: StoredPolicy): Promise<void> {
    await this.database.sql(
      `UPDATE hold_queues SET default_days = $3, max_total_days = $4, challenge_hours = $5, winner_hours = $6,
         remind_hours = $7, max_rank = $8, release_on_lost = $9, revision = $10 WHERE ${IN_WORKSPACE}`,
      [...workspaceKey(ref), ...valuesOf(policy)],
    );
  }

  async takePosition(ref: WorkspaceRef): Promise<number> {
    const [row] = await this.database.sql<{ last_position: number }>(
      `UPDATE hold_queues SET last_position = last_position + 1 WHERE ${IN_WORKSPACE} RETURNING last_position`,
      workspaceKey(ref),
    );
    return row!.last_position;
  }

  /** One look at each queue, however many of its holds are due, and a single one while none is due anywhere. */
  async withDue(now: Date): Promise<WorkspaceRef[]> {
    const rows = await this.database.sql<{ workspace_id: string; mode: WorkspaceRef['mode'] }>(
      `SELECT q.workspace_id, q.mode FROM hold_queues q CROSS JOIN LATERAL (
         SELECT FROM holds h WHERE (h.workspace_id, h.mode) = (q.workspace_id, q.mode)
           AND h.status = 'active' AND h.next_at <= $1 LIMIT 1
       ) AS due WHERE EXISTS (SELECT FROM holds WHERE status = 'active' AND next_at <= $1)`,
      [now],
    );
    return rows.map(({ workspace_id, mode }) => ({ workspaceId: fromUuid('ws', workspace_id), mode }));
  }
}

function valuesOf(policy: StoredPolicy): unknown[] {
  const { defaultDays, maxTotalDays, challengeHours, winnerHours, remindHours } = policy;
  const { maxRank, releaseOnLost, revision } = policy;
  return [
    ...[defaultDays, maxTotalDays, challengeHours, winnerHours, remindHours],
    ...[maxRank, releaseOnLost, revision],
  ];
}

/** Claims as columns for `unnest`. */
export function claimColumns(claims: readonly Claim[]): unknown[] {
  return [
    claims.map(({ spaceId }) => toUuid(spaceId)),
    claims.map(({ from }) => from),
    claims.map(({ to }) => to),
  ];
}
