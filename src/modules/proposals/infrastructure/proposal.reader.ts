import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId, type ProposalId, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { containing } from '../../../platform/persistence/like-pattern';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type LeadValue,
  MOST_SEARCHED,
  MOST_VERSIONS,
  type OpenTotals,
  type ProposalClient,
  type ProposalFilter,
  ProposalReader,
  type ProposalSortField,
  type ProposalVersion,
  type StaffFilter,
  type StaffSortField,
  type StageTotal,
  type StatusTotal,
} from '../application/proposal-queries';
import type { Proposal } from '../domain/proposal';
import { ProposalSchema } from './proposal.schema';

type VersionRow = Pick<ProposalVersion, 'version' | 'status' | 'currency'> & {
  id: string;
  total: string;
  sent_at: Date | null;
  archived_at: Date | null;
};

/** The predicate of the index of open proposals. */
const OPEN = `status IN ('sent', 'viewed') AND archived_at IS NULL`;

/** As `fold_text` for all but some rare capital letters. That takes sixty times as long, too long for thousands of titles. */
const FOLDED_TITLE = `translate(
  lower(CASE WHEN title IS NFC NORMALIZED THEN title ELSE normalize(title) END COLLATE "und-x-icu"), 'ς', 'σ')`;

@Injectable()
export class PostgresProposalReader extends ProposalReader {
  private readonly statements: EntityStatements<Proposal>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(ProposalSchema);
  }

  async find(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  list(
    ref: WorkspaceRef,
    { leadId, status, archived }: ProposalFilter,
    request: PageRequest<ProposalSortField>,
  ): Promise<Slice<Proposal>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(parameters, ref, { leadId, status, archived });
    const source = this.statements.sortedBy(request.sort.field);
    return readSlice(this.database, { ...source, conditions, parameters, request }, this.statements.read);
  }

  search(
    ref: WorkspaceRef,
    { words, ...filter }: StaffFilter,
    request: PageRequest<StaffSortField>,
  ): Promise<Slice<Proposal>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(parameters, ref, { ...filter, archived: 'false' });
    const newest = `(SELECT *, ${FOLDED_TITLE} AS folded_title FROM proposals WHERE ${conditions.join(' AND ')}
      ORDER BY created_at DESC, id DESC LIMIT ${MOST_SEARCHED})`;
    const withClients = `(SELECT newest.*, leads.search_text FROM ${newest} AS newest JOIN leads
      ON leads.workspace_id = newest.workspace_id AND leads.mode = newest.mode AND leads.id = newest.lead_id)`;
    const { columns, sort } = this.statements.sortedBy(request.sort.field);
    const from = `${words.length > 0 ? withClients : newest} AS proposals`;
    const found = words.map((word) => {
      const pattern = parameters.add(containing(word));
      return `(number::text = ${parameters.add(word)} OR folded_title LIKE ${pattern} OR search_text LIKE ${pattern})`;
    });
    const query = { columns, from, sort, conditions: found, parameters, request };
    return readSlice(this.database, query, this.statements.read);
  }

  async clients(ref: WorkspaceRef, ids: readonly LeadId[]): Promise<Map<LeadId, ProposalClient>> {
    const rows = await this.database.sql<{ id: string; name: string | null; email: string }>(
      `SELECT id, name, email FROM leads WHERE ${IN_WORKSPACE} AND id = ANY ($3::uuid[])`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return new Map(rows.map(({ id, ...client }) => [fromUuid('lead', id), client]));
  }

  async versions(ref: WorkspaceRef, number: number): Promise<ProposalVersion[]> {
    const rows = await this.database.sql<VersionRow>(
      `SELECT id, version, status, currency, total, sent_at, archived_at FROM proposals
       WHERE ${IN_WORKSPACE} AND number = $3 ORDER BY version DESC LIMIT ${MOST_VERSIONS}`,
      [...workspaceKey(ref), number],
    );
    return rows.map(({ id, total, sent_at: sentAt, archived_at: archivedAt, ...row }) => ({
      ...row,
      ...{ id: fromUuid('prop', id), total: Number(total), sentAt, archivedAt },
    }));
  }

  async valuesOf(ref: WorkspaceRef, leads: readonly LeadId[]): Promise<LeadValue[]> {
    const rows = await this.database.sql<{ id: string; currency: string; total: string }>(
      `SELECT lead.id, live.currency, sum(live.total)::text AS total
       FROM unnest($3::uuid[]) AS lead(id) CROSS JOIN LATERAL (
         SELECT DISTINCT ON (number) currency, total
         FROM (SELECT number, version, status, currency, total FROM proposals
               WHERE ${IN_WORKSPACE} AND lead_id = lead.id AND archived_at IS NULL
               ORDER BY created_at DESC, id DESC LIMIT ${MOST_VERSIONS}) AS newest
         WHERE status IN ('sent', 'viewed', 'accepted') ORDER BY number, version DESC) AS live
       GROUP BY lead.id, live.currency ORDER BY live.currency`,
      [...workspaceKey(ref), leads.map(toUuid)],
    );
    return rows.map(({ id, currency, total }) => ({
      ...{ leadId: fromUuid('lead', id), currency, total: BigInt(total) },
    }));
  }

  async openTotals(ref: WorkspaceRef, most: number): Promise<OpenTotals> {
    const rows = await this.database.sql<{ currency: string; count: number; total: string }>(
      `SELECT currency, count(*)::int AS count, sum(total)::text AS total FROM (
         SELECT currency, total FROM proposals WHERE ${IN_WORKSPACE} AND ${OPEN}
         ORDER BY valid_until DESC, id DESC LIMIT $3) AS open
       GROUP BY currency ORDER BY currency`,
      [...workspaceKey(ref), most],
    );
    const read = rows.reduce((sum, { count }) => sum + count, 0);
    return {
      totals: rows.map((row) => ({ ...row, total: BigInt(row.total) })),
      isPartial: read === most,
    };
  }

  async expiring(ref: WorkspaceRef, from: string, to: string, most: number): Promise<Proposal[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND ${OPEN} AND valid_until BETWEEN $3 AND $4
       ORDER BY valid_until, id LIMIT $5`,
      [...workspaceKey(ref), from, to, most],
    );
    return rows.map((row) => this.statements.read(row));
  }

  async hasSent(workspaceId: WorkspaceId): Promise<boolean> {
    const found = await this.database.sql(
      `SELECT FROM proposals WHERE workspace_id = $1 AND mode IN ('live', 'test')
         AND status IN ('sent', 'viewed', 'accepted', 'declined', 'expired', 'withdrawn') LIMIT 1`,
      [toUuid(workspaceId)],
    );
    return found.length > 0;
  }

  async totalsByStatus(ref: WorkspaceRef): Promise<StatusTotal[]> {
    const rows = await this.database.sql<Omit<StatusTotal, 'total'> & { total: string }>(
      `SELECT status, currency, count(*)::int AS count, sum(total)::text AS total FROM proposals
       WHERE ${IN_WORKSPACE} AND archived_at IS NULL
       GROUP BY status, currency ORDER BY currency`,
      workspaceKey(ref),
    );
    return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
  }

  /** Joins proposals with leads, so that the database computes the sums. */
  async pipeline(ref: WorkspaceRef): Promise<StageTotal[]> {
    const rows = await this.database.sql<{
      stage: string;
      leads: number;
      totals: { currency: string; total: string }[] | null;
    }>(
      `SELECT counted.stage, counted.leads, summed.totals
       FROM (SELECT stage, count(*)::int AS leads FROM leads
             WHERE ${IN_WORKSPACE} AND archived_at IS NULL GROUP BY stage) AS counted
       LEFT JOIN (
         SELECT stage, json_agg(json_build_object('currency', currency, 'total', total::text) ORDER BY currency) AS totals
         FROM (SELECT l.stage, p.currency, sum(p.total) AS total
               FROM (SELECT DISTINCT ON (number) workspace_id, mode, lead_id, currency, total FROM proposals
                     WHERE ${IN_WORKSPACE} AND archived_at IS NULL AND status IN ('sent', 'viewed', 'accepted')
                     ORDER BY number, version DESC) AS p
               JOIN leads l ON l.workspace_id = p.workspace_id AND l.mode = p.mode AND l.id = p.lead_id
               WHERE l.archived_at IS NULL
               GROUP BY l.stage, p.currency) AS sums
         GROUP BY stage) AS summed USING (stage)`,
      workspaceKey(ref),
    );
    return rows.map(({ totals, ...row }) => ({
      ...row,
      totals: (totals ?? []).map(({ currency, total }) => ({ currency, total: BigInt(total) })),
    }));
  }
}

function conditionsOf(
  parameters: Parameters,
  ref: WorkspaceRef,
  { leadId, status, archived }: ProposalFilter,
): string[] {
  return [
    ...parameters.inWorkspace(ref),
    ...isArchived(archived),
    ...(leadId === null ? ['false'] : []),
    ...parameters.when(leadId ? toUuid(leadId) : undefined, (lead) => `lead_id = ${lead}`),
    ...parameters.when(status, (place) => `status = ${place}`),
  ];
}
