import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, type ProposalId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { dayIn } from '../../../kernel/time-zone';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type LinkedProposal, ProposalRepository } from '../application/proposal-repository';
import type { Proposal } from '../domain/proposal';
import { ProposalSchema } from './proposal.schema';

const OVERDUE_BATCH = 500;
/** The most new visitors of one proposal in a day, since anyone with its link can pose as any number of visitors. */
const MOST_VISITORS_A_DAY = 50;
/** The most stored visitors of one proposal. */
const MOST_VISITORS = 200;
/** Rows of a visitor: cookie and address. */
const MARKS = 2;
/** `$1` to `$3` are the proposal's key, `$5` is now. */
const MAY_HAVE_MORE = `count(*) < ${MARKS * MOST_VISITORS}
  AND count(*) FILTER (WHERE first_seen_at > $5::timestamptz - interval '1 day') < ${MARKS * MOST_VISITORS_A_DAY}`;
const OF_PROPOSAL = `FROM proposal_visitors WHERE ${IN_WORKSPACE} AND proposal_id = $3`;

@Injectable()
export class PostgresProposalRepository extends ProposalRepository {
  private readonly statements: EntityStatements<Proposal>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(ProposalSchema);
  }

  async nextNumber(ref: WorkspaceRef): Promise<number> {
    const [row] = await this.database.sql<{ last: number }>(
      `INSERT INTO proposal_numbers AS numbers (workspace_id, mode, last) VALUES ($1, $2, 1)
       ON CONFLICT (workspace_id, mode) DO UPDATE SET last = numbers.last + 1 RETURNING last`,
      workspaceKey(ref),
    );
    return row!.last;
  }

  async add(proposal: Proposal, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(proposal), events));
  }

  async lock(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined> {
    const text = `${this.statements.selectByKey} FOR NO KEY UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async save(proposal: Proposal, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(proposal), events));
  }

  async isSuperseded(proposal: Proposal): Promise<boolean> {
    const rows = await this.database.sql(
      `SELECT FROM proposals WHERE ${IN_WORKSPACE} AND number = $3 AND version > $4 LIMIT 1`,
      [...workspaceKey(proposal), proposal.number, proposal.version],
    );
    return rows.length > 0;
  }

  async findByToken(token: string): Promise<LinkedProposal | undefined> {
    const [row] = await this.database.sql<{ workspace_name: string; time_zone: string; locale: string }>(
      `SELECT ${this.statements.columns}, w.name AS workspace_name, w.time_zone, w.locale
       FROM proposals JOIN workspaces w ON w.id = proposals.workspace_id WHERE public_token = $1`,
      [token],
    );
    if (!row) return undefined;
    const { workspace_name: name, time_zone: timeZone, locale } = row;
    return { proposal: this.statements.read(row), workspace: { name, timeZone, locale } };
  }

  async remembersMore(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean> {
    const [row] = await this.database.sql<{ remembers: boolean }>(
      `SELECT ${MAY_HAVE_MORE} AND count(*) FILTER (WHERE visitor = ANY ($4::bytea[])) < cardinality($4::bytea[]) AS remembers
       ${OF_PROPOSAL}`,
      [...workspaceKey(proposal, proposal.id), visitor, now],
    );
    return row!.remembers;
  }

  async isFirstVisit(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean> {
    const added = await this.database.sql(
      `INSERT INTO proposal_visitors (workspace_id, mode, proposal_id, visitor, first_seen_at)
       SELECT $1, $2, $3, visitor, $5 FROM unnest($4::bytea[]) AS visitor
       WHERE (SELECT ${MAY_HAVE_MORE} ${OF_PROPOSAL})
       ON CONFLICT DO NOTHING RETURNING 1`,
      [...workspaceKey(proposal, proposal.id), visitor, now],
    );
    return added.length === visitor.length;
  }

  async listOverdue(now: Date): Promise<{ ref: WorkspaceRef; id: ProposalId }[]> {
    const zones = await this.database.sql<{ time_zone: string }>('SELECT DISTINCT time_zone FROM workspaces');
    // Days are computed here, since PostgreSQL may have another version of the time zone database.
    const days = zones.map(({ time_zone: zone }) => dayIn(zone, now));
    const rows = await this.database.sql<{ workspace_id: string; mode: Mode; id: string }>(
      `SELECT p.workspace_id, p.mode, p.id
       FROM proposals p JOIN workspaces w ON w.id = p.workspace_id
       JOIN unnest($1::text[], $2::date[]) AS today (time_zone, day) ON today.time_zone = w.time_zone
       WHERE p.status IN ('sent', 'viewed') AND p.archived_at IS NULL AND p.valid_until < today.day
       ORDER BY p.valid_until LIMIT ${OVERDUE_BATCH}`,
      [zones.map(({ time_zone: zone }) => zone), days],
    );
    return rows.map((row) => ({
      ref: { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode },
      id: fromUuid('prop', row.id),
    }));
  }
}
