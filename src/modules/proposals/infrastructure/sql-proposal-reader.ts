import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ProposalId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import {
  pageQuery,
  type PageRow,
  Parameters,
  type SortColumn,
  toSlice,
} from '../../../platform/persistence/keyset';
import {
  type ProposalFilter,
  ProposalReader,
  type ProposalSortField,
  type StageTotal,
  type StatusTotal,
} from '../application/proposal-queries';
import type { Proposal, ProposalStatus } from '../domain/proposal';
import { ProposalSchema } from './proposal.schema';

const SORT_COLUMNS: Record<ProposalSortField, SortColumn> = {
  createdAt: { column: 'created_at', type: 'timestamptz', nullable: false },
  updatedAt: { column: 'updated_at', type: 'timestamptz', nullable: false },
};

@Injectable()
export class SqlProposalReader extends ProposalReader {
  private readonly statements: EntityStatements<Proposal>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, ProposalSchema);
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined> {
    const [row] = await this.database.query<object>({
      text: 'SELECT * FROM proposals WHERE workspace_id = $1 AND mode = $2 AND id = $3',
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
    return row && this.statements.read(row);
  }

  async list(
    ref: WorkspaceRef,
    filter: ProposalFilter,
    request: PageRequest<ProposalSortField>,
  ): Promise<Slice<Proposal>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: '*',
      from: 'proposals',
      conditions: conditionsOf(ref, filter, parameters),
      parameters,
      sort: SORT_COLUMNS[request.sort.field],
      request,
      afterId: request.after && toUuid(request.after.id as ProposalId),
    });
    const rows = await this.database.query<PageRow<{ id: string }>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, (row) => this.statements.read(row));
  }

  async totalsByStatus({ workspaceId, mode }: WorkspaceRef): Promise<StatusTotal[]> {
    const rows = await this.database.query<{
      status: ProposalStatus;
      currency: string;
      count: number;
      total: string;
    }>({
      text: `SELECT status, currency, count(*)::int AS count, sum(total)::text AS total FROM proposals
             WHERE workspace_id = $1 AND mode = $2 AND archived_at IS NULL
             GROUP BY status, currency ORDER BY currency`,
      values: [toUuid(workspaceId), mode],
    });
    return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
  }

  /** Reads what two modules store, so that the database does the sums. */
  async pipeline({ workspaceId, mode }: WorkspaceRef): Promise<StageTotal[]> {
    const rows = await this.database.query<{
      stage: string;
      leads: number;
      totals: { currency: string; total: string }[] | null;
    }>({
      text: `SELECT counted.stage, counted.leads, summed.totals
             FROM (SELECT stage, count(*)::int AS leads FROM leads
                   WHERE workspace_id = $1 AND mode = $2 AND archived_at IS NULL GROUP BY stage) AS counted
             LEFT JOIN (
               SELECT stage, json_agg(json_build_object('currency', currency, 'total', total::text) ORDER BY currency) AS totals
               FROM (SELECT l.stage, p.currency, sum(p.total) AS total
                     FROM (SELECT DISTINCT ON (number) workspace_id, mode, lead_id, currency, total FROM proposals
                           WHERE workspace_id = $1 AND mode = $2 AND archived_at IS NULL
                             AND status IN ('sent', 'viewed', 'accepted')
                           ORDER BY number, version DESC) AS p
                     JOIN leads l ON l.workspace_id = p.workspace_id AND l.mode = p.mode AND l.id = p.lead_id
                     WHERE l.archived_at IS NULL
                     GROUP BY l.stage, p.currency) AS sums
               GROUP BY stage) AS summed USING (stage)`,
      values: [toUuid(workspaceId), mode],
    });
    return rows.map(({ totals, ...row }) => ({
      ...row,
      totals: (totals ?? []).map(({ currency, total }) => ({ currency, total: BigInt(total) })),
    }));
  }
}

function conditionsOf(
  { workspaceId, mode }: WorkspaceRef,
  { leadId, status, archived }: ProposalFilter,
  parameters: Parameters,
): string[] {
  const conditions = [
    `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
    `mode = ${parameters.add(mode)}`,
  ];
  if (archived !== 'all') conditions.push(`archived_at IS ${archived === 'true' ? 'NOT NULL' : 'NULL'}`);
  if (leadId === null) conditions.push('false');
  else if (leadId) conditions.push(`lead_id = ${parameters.add(toUuid(leadId))}`);
  if (status) conditions.push(`status = ${parameters.add(status)}`);
  return conditions;
}
