import { Injectable } from '@nestjs/common';
import { fromUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { ReportDatabase } from '../../../platform/persistence/report-database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type Cell,
  type CountedBy,
  type CountedLead,
  type FunnelBasis,
  type GroupBy,
  type LeadsOf,
  type OutcomeBasis,
  type OutcomeRows,
  type RankedStage,
  ReportReader,
  type ResponseCounts,
  type Selection,
  type StageCounts,
  type WaitingLead,
} from '../application/report-reader';
import { readCounted } from './counted-leads-sql';
import { readFunnel } from './funnel-sql';
import { readOutcomes } from './outcomes-sql';
import { conditionsOn } from './report-sql';
import { readResponses } from './responses-sql';

@Injectable()
export class PostgresReportReader extends ReportReader {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportDatabase,
  ) {
    super();
  }

  responses(
    ref: WorkspaceRef,
    selection: Selection,
    groupBy: GroupBy,
    targetMinutes: number | null,
  ): Promise<(Cell & ResponseCounts)[]> {
    return this.reports.run(ownerOf(ref), (query) =>
      readResponses(query, ref, selection, groupBy, targetMinutes),
    );
  }

  outcomes(
    ref: WorkspaceRef,
    selection: Selection,
    groupBy: GroupBy,
    basis: OutcomeBasis,
  ): Promise<OutcomeRows> {
    return this.reports.run(ownerOf(ref), (query) => readOutcomes(query, ref, selection, groupBy, basis));
  }

  funnel(
    ref: WorkspaceRef,
    selection: Selection,
    basis: FunnelBasis,
    stages: readonly RankedStage[],
  ): Promise<StageCounts[]> {
    return this.reports.run(ownerOf(ref), (query) => readFunnel(query, ref, selection, basis, stages));
  }

  counted(
    ref: WorkspaceRef,
    selection: Selection,
    which: CountedBy,
    request: PageRequest,
  ): Promise<Slice<CountedLead>> {
    return readCounted(this.database, ref, selection, which, request);
  }

  async hasLeads(ref: WorkspaceRef): Promise<boolean> {
    const found = await this.database.sql(
      `SELECT FROM lead_journeys WHERE ${IN_WORKSPACE} LIMIT 1`,
      workspaceKey(ref),
    );
    return found.length > 0;
  }

  waiting(ref: WorkspaceRef, leads: LeadsOf, request: PageRequest): Promise<Slice<WaitingLead>> {
    const { parameters, leads: conditions } = conditionsOn(ref, leads);
    interface Row {
      id: string;
      awaiting_since: Date;
      stage: string;
      source: string | null;
      owner_id: string | null;
    }
    return readSlice<Row, WaitingLead>(
      this.database,
      {
        columns: 'id, awaiting_since, stage, source, owner_id',
        from: '(SELECT *, lead_id AS id FROM lead_journeys) AS j',
        conditions: [conditions, 'j.awaiting_since IS NOT NULL', 'NOT j.is_archived'],
        parameters,
        sort: { column: 'awaiting_since', type: 'timestamptz', nullable: false },
        // Counting all would take longer than reading a page.
        request: { ...request, isUncounted: true },
      },
      ({ id, awaiting_since, stage, source, owner_id }) => ({
        leadId: fromUuid('lead', id),
        awaitingReplySince: awaiting_since,
        stage,
        source,
        ownerId: owner_id === null ? null : fromUuid('user', owner_id),
      }),
    );
  }

  async recordedSince(): Promise<Date> {
    const [row] = await this.database.sql<{ complete_since: Date }>(
      'SELECT complete_since FROM lead_journeys_beginning',
    );
    return row!.complete_since;
  }
}

/** One report of a workspace at a time, whatever its mode. */
function ownerOf({ workspaceId }: WorkspaceRef): string {
  return workspaceId;
}
