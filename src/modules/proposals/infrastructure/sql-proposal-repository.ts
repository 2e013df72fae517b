import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, type ProposalId, toUuid } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { dayIn } from '../../../kernel/time-zone';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { type LinkedProposal, ProposalRepository } from '../application/proposal-repository';
import type { Proposal } from '../domain/proposal';
import { ProposalSchema } from './proposal.schema';

const OVERDUE_BATCH = 500;
/** New visitors of one proposal: whoever has its link can seem to be as many as they like. */
const MOST_VISITORS_A_DAY = 50;
/** Of those that are remembered. */
const MOST_VISITORS = 200;
/** A visitor is remembered by a cookie and by an address. */
const MARKS = 2;
/** Parameters 1 to 3 are the proposal's, 5 is now. */
const MAY_HAVE_MORE = `count(*) < ${MARKS * MOST_VISITORS}
  AND count(*) FILTER (WHERE first_seen_at > $5::timestamptz - interval '1 day') < ${MARKS * MOST_VISITORS_A_DAY}`;
const OF_PROPOSAL = `FROM proposal_visitors WHERE workspace_id = $1 AND mode = $2 AND proposal_id = $3`;

@Injectable()
export class SqlProposalRepository extends ProposalRepository {
  private readonly statements: EntityStatements<Proposal>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, ProposalSchema);
  }

  async nextNumber({ workspaceId, mode }: WorkspaceRef): Promise<number> {
    const [row] = await this.run<{ last: number }>(
      `INSERT INTO proposal_numbers AS numbers (workspace_id, mode, last) VALUES ($1, $2, 1)
       ON CONFLICT (workspace_id, mode) DO UPDATE SET last = numbers.last + 1 RETURNING last`,
      toUuid(workspaceId),
      mode,
    );
    return row!.last;
  }

  async add(proposal: Proposal, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(proposal), events));
  }

  async lock({ workspaceId, mode }: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined> {
    const [row] = await this.run<object>(
      'SELECT * FROM proposals WHERE workspace_id = $1 AND mode = $2 AND id = $3 FOR NO KEY UPDATE',
      toUuid(workspaceId),
      mode,
      toUuid(id),
    );
    return row && this.statements.read(row);
  }

  async save(proposal: Proposal, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(proposal), events));
  }

  async isSuperseded({ workspaceId, mode, number, version }: Proposal): Promise<boolean> {
    const rows = await this.run(
      'SELECT FROM proposals WHERE workspace_id = $1 AND mode = $2 AND number = $3 AND version > $4 LIMIT 1',
      toUuid(workspaceId),
      mode,
      number,
      version,
    );
    return rows.length > 0;
  }

  async findByToken(token: string): Promise<LinkedProposal | undefined> {
    const [row] = await this.run<{ name: string; time_zone: string; locale: string }>(
      `SELECT w.name, w.time_zone, w.locale, p.*
       FROM proposals p JOIN workspaces w ON w.id = p.workspace_id WHERE p.public_token = $1`,
      token,
    );
    if (!row) return undefined;
    const { name, time_zone: timeZone, locale } = row;
    return { proposal: this.statements.read(row), workspace: { name, timeZone, locale } };
  }

  async remembersMore(
    { workspaceId, mode, id }: Proposal,
    visitor: readonly Buffer[],
    now: Date,
  ): Promise<boolean> {
    const [row] = await this.run<{ remembers: boolean }>(
      `SELECT ${MAY_HAVE_MORE} AND count(*) FILTER (WHERE visitor = ANY ($4::bytea[])) < cardinality($4::bytea[]) AS remembers
       ${OF_PROPOSAL}`,
      ...[toUuid(workspaceId), mode, toUuid(id), visitor, now],
    );
    return row!.remembers;
  }

  async isFirstVisit(
    { workspaceId, mode, id }: Proposal,
    visitor: readonly Buffer[],
    now: Date,
  ): Promise<boolean> {
    const added = await this.run(
      `INSERT INTO proposal_visitors (workspace_id, mode, proposal_id, visitor, first_seen_at)
       SELECT $1, $2, $3, visitor, $5 FROM unnest($4::bytea[]) AS visitor
       WHERE (SELECT ${MAY_HAVE_MORE} ${OF_PROPOSAL})
       ON CONFLICT DO NOTHING RETURNING 1`,
      toUuid(workspaceId),
      mode,
      toUuid(id),
      visitor,
      now,
    );
    return added.length === visitor.length;
  }

  async listOverdue(now: Date): Promise<{ ref: WorkspaceRef; id: ProposalId }[]> {
    const zones = await this.run<{ time_zone: string }>('SELECT DISTINCT time_zone FROM workspaces');
    // The days are worked out here: PostgreSQL may know other zones than we do.
    const days = zones.map(({ time_zone: zone }) => dayIn(zone, now));
    const rows = await this.run<{ workspace_id: string; mode: Mode; id: string }>(
      `SELECT p.workspace_id, p.mode, p.id
       FROM proposals p JOIN workspaces w ON w.id = p.workspace_id
       JOIN unnest($1::text[], $2::date[]) AS today (time_zone, day) ON today.time_zone = w.time_zone
       WHERE p.status IN ('sent', 'viewed') AND p.archived_at IS NULL AND p.valid_until < today.day
       ORDER BY p.valid_until LIMIT ${OVERDUE_BATCH}`,
      zones.map(({ time_zone: zone }) => zone),
      days,
    );
    return rows.map((row) => ({
      ref: { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode },
      id: fromUuid('prop', row.id),
    }));
  }

  private run<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.query<Row>({ text, values });
  }
}
