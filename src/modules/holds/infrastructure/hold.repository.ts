import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, type HoldId, type LeadId, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withAllEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { StoredPolicy } from '../application/hold-repository';
import type { Claim, Hold } from '../domain/hold';
import { CLAIMS_OVER_MINE, PostgresHoldReader } from './hold.reader';
import { claimColumns, FIRST_POLICY, QueueRows } from './queue-rows';

/** The holds whose claims overlap those of these, themselves among them. */
const OVERLAPPING = (these: string) => `
  SELECT DISTINCT other.hold_id FROM hold_claims mine CROSS JOIN LATERAL (${CLAIMS_OVER_MINE}) AS other
  WHERE mine.workspace_id = $1 AND mine.mode = $2 AND mine.hold_id ${these}`;

interface ClaimRow {
  hold_id: string;
  space_id: string;
  starts_at: Date;
  ends_at: Date;
}

@Injectable()
export class PostgresHoldRepository extends PostgresHoldReader {
  private readonly queues: QueueRows;

  constructor(database: Database) {
    super(database);
    this.queues = new QueueRows(database);
  }

  openQueue(ref: WorkspaceRef): Promise<StoredPolicy> {
    return this.queues.open(ref);
  }

  async policy(ref: WorkspaceRef): Promise<StoredPolicy> {
    return (await this.queues.read(ref)) ?? FIRST_POLICY;
  }

  savePolicy(ref: WorkspaceRef, policy: StoredPolicy): Promise<void> {
    return this.queues.save(ref, policy);
  }

  takePosition(ref: WorkspaceRef): Promise<number> {
    return this.queues.takePosition(ref);
  }

  queuesWithDue(now: Date): Promise<WorkspaceRef[]> {
    return this.queues.withDue(now);
  }

  async around(ref: WorkspaceRef, ids: readonly HoldId[]): Promise<Hold[]> {
    if (ids.length === 0) return [];
    const near = OVERLAPPING('= ANY ($3::uuid[])');
    const far = OVERLAPPING('IN (SELECT hold_id FROM near)');
    const rows = await this.database.sql<object>(
      `WITH near AS MATERIALIZED (${near}), far AS MATERIALIZED (${far})
       ${this.statements.select} WHERE ${IN_WORKSPACE} AND id IN (SELECT hold_id FROM far)`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    const holds = rows.map(this.statements.read);
    const claims = await this.claimsOf(ref, holds);
    for (const hold of holds) hold.claims = claims.get(hold.id) ?? [];
    return holds;
  }

  async over(ref: WorkspaceRef, claims: readonly Claim[], atMost: number): Promise<HoldId[]> {
    return this.ids(
      `SELECT id FROM holds WHERE ${IN_WORKSPACE} AND id IN (
         SELECT c.hold_id FROM hold_claims c
         JOIN unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) AS wanted (space_id, starts_at, ends_at)
           ON c.space_id = wanted.space_id AND c.period && tstzrange(wanted.starts_at, wanted.ends_at)
         WHERE c.workspace_id = $1 AND c.mode = $2
       ) ORDER BY position LIMIT $3`,
      [...workspaceKey(ref), atMost, ...claimColumns(claims)],
    );
  }

  async byId(ref: WorkspaceRef, id: HoldId): Promise<Hold | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && Object.assign(this.statements.read(row), { claims: [] });
  }

  liveInGroup(ref: WorkspaceRef, group: string): Promise<HoldId[]> {
    return this.ids(
      `SELECT id FROM holds WHERE ${IN_WORKSPACE} AND status = 'active' AND group_name = $3 ORDER BY position`,
      [...workspaceKey(ref), group],
    );
  }

  liveOfLead(
    ref: WorkspaceRef,
    leadId: LeadId,
    { placedBy, atMost }: { placedBy: Date; atMost: number },
  ): Promise<HoldId[]> {
    return this.ids(
      `SELECT id FROM holds WHERE ${IN_WORKSPACE} AND lead_id = $3 AND status = 'active' AND placed_at <= $4
       ORDER BY position LIMIT $5`,
      [...workspaceKey(ref, leadId), placedBy, atMost],
    );
  }

  due(ref: WorkspaceRef, now: Date, atMost: number): Promise<HoldId[]> {
    return this.ids(
      `SELECT id FROM holds WHERE ${IN_WORKSPACE} AND status = 'active' AND next_at <= $3
       ORDER BY LEAST(expires_at, answer_by), position LIMIT $4`,
      [...workspaceKey(ref), now, atMost],
    );
  }

  async add(hold: Hold, events: readonly DomainEvent[]): Promise<void> {
    await this.database.query(withAllEvents([this.statements.insert(hold)], events));
    await this.claim(hold, [hold]);
  }

  async save(ref: WorkspaceRef, holds: readonly Hold[], events: readonly DomainEvent[]): Promise<void> {
    await this.database.query(withAllEvents([this.statements.updateAll(holds)], events));
    await this.database.sql(`DELETE FROM hold_claims WHERE ${IN_WORKSPACE} AND hold_id = ANY ($3::uuid[])`, [
      ...workspaceKey(ref),
      holds.map(({ id }) => toUuid(id)),
    ]);
    await this.claim(ref, holds);
  }

  private async claim(ref: WorkspaceRef, holds: readonly Hold[]): Promise<void> {
    const claims = holds.flatMap((hold) => hold.claims.map((claim) => ({ hold, claim })));
    if (claims.length === 0) return;
    await this.database.sql(
      `INSERT INTO hold_claims (workspace_id, mode, hold_id, space_id, period)
       SELECT $1, $2, hold_id, space_id, tstzrange(starts_at, ends_at)
       FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
         AS claim (hold_id, space_id, starts_at, ends_at)`,
      [
        ...workspaceKey(ref),
        claims.map(({ hold }) => toUuid(hold.id)),
        ...claimColumns(claims.map(({ claim }) => claim)),
      ],
    );
  }

  private async claimsOf(ref: WorkspaceRef, holds: readonly Hold[]): Promise<Map<HoldId, Claim[]>> {
    const rows = await this.database.sql<ClaimRow>(
      `SELECT hold_id, space_id, lower(period) AS starts_at, upper(period) AS ends_at FROM hold_claims
       WHERE ${IN_WORKSPACE} AND hold_id = ANY ($3::uuid[])`,
      [...workspaceKey(ref), holds.map(({ id }) => toUuid(id))],
    );
    const claims = new Map<HoldId, Claim[]>();
    for (const { hold_id, space_id, starts_at, ends_at } of rows) {
      const id = fromUuid('hold', hold_id);
      const claim = { spaceId: fromUuid('space', space_id), from: starts_at, to: ends_at };
      claims.set(id, [...(claims.get(id) ?? []), claim]);
    }
    return claims;
  }

  private async ids(text: string, values: unknown[]): Promise<HoldId[]> {
    const rows = await this.database.sql<{ id: string }>(text, values);
    return rows.map(({ id }) => fromUuid('hold', id));
  }
}
