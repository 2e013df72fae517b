import { Injectable } from '@nestjs/common';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { ReportDatabase } from '../../../platform/persistence/report-database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type Cell,
  type CountedBy,
  type CountedLead,
  filtersOf,
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
  type WonAndLost,
} from '../application/report-reader';
import { readCounted } from './counted-leads-sql';
import { readFunnel } from './funnel-sql';
import { readOutcomes } from './outcomes-sql';
import { readResponses } from './responses-sql';
import { readWaiting } from './waiting-sql';
import { readWonAndLost } from './win-rate-sql';

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

  wonAndLost(ref: WorkspaceRef, selection: Selection, most: number): Promise<WonAndLost> {
    return readWonAndLost((statement) => this.database.query(statement), ref, selection, most);
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
    return this.reports.run(ownerOf(ref), (query) => readCounted(query, ref, selection, which, request));
  }

  async hasLeads(ref: WorkspaceRef): Promise<boolean> {
    const found = await this.database.sql(
      `SELECT FROM lead_journeys WHERE ${IN_WORKSPACE} LIMIT 1`,
      workspaceKey(ref),
    );
    return found.length > 0;
  }

  /** A page of all waiting leads is one range of an index. One of some of them may take a look at each that waits. */
  waiting(ref: WorkspaceRef, leads: LeadsOf, request: PageRequest): Promise<Slice<WaitingLead>> {
    const [narrowedBy] = filtersOf(leads);
    if (!narrowedBy) return readWaiting((statement) => this.database.query(statement), ref, leads, request);
    return this.reports.run(ownerOf(ref), (query) => readWaiting(query, ref, leads, request), {
      field: narrowedBy,
      message: 'makes a search that takes too long; leave it out',
    });
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
