import { Injectable } from '@nestjs/common';
import { type ProposalId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type ProposalFilter,
  ProposalReader,
  type ProposalSortField,
  type StageTotal,
  type StatusTotal,
} from '../application/proposal-queries';
import type { Proposal } from '../domain/proposal';
import { ProposalSchema } from './proposal.schema';

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
    const conditions = [
      ...parameters.inWorkspace(ref),
      ...isArchived(archived),
      ...(leadId === null ? ['false'] : []),
      ...parameters.when(leadId ? toUuid(leadId) : undefined, (lead) => `lead_id = ${lead}`),
      ...parameters.when(status, (place) => `status = ${place}`),
    ];
    const source = this.statements.sortedBy(request.sort.field);
    return readSlice(this.database, { ...source, conditions, parameters, request }, this.statements.read);
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
