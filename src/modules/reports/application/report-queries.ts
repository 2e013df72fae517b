import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { later } from '../../../kernel/time';
import { PipelineQueries } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import { type Bucket, bucketsOf, type Buckets, type Interval, type Period } from '../domain/buckets';
import { secondsBetween } from './journey-queries';
import { ResponseTargetRepository } from './response-targets';
import {
  type Cell,
  type CountedBy,
  type CountedLead,
  type FunnelBasis,
  type GroupBy,
  type LeadsOf,
  type LostFigure,
  type Money,
  type OutcomeBasis,
  type OutcomeCounts,
  type RankedStage,
  ReportReader,
  type ResponseCounts,
  type StageCounts,
  type WaitingLead,
  type WonAndLost,
} from './report-reader';

export interface ReportInput extends LeadsOf {
  from: string;
  to: string;
  /** The workspace's when absent. */
  timeZone?: string;
  interval: Interval;
  groupBy: GroupBy;
}

export type ResponseFigures = ResponseCounts;

export interface OutcomeFigures extends Omit<OutcomeCounts, 'medianSecondsToWin'> {
  /** The median of won ones, to a tenth of a day. */
  daysToWin: number | null;
  /** Of the won and lost ones; null without any. */
  winRate: number | null;
  /** Of the created ones; null without any, and by `closed`, which counts other leads. */
  conversion: number | null;
  values: Money[];
  withoutValue: number;
}

export interface Group {
  key: string | null;
  isOther: boolean;
}

export type Row<Figures> = Bucket & Group & Figures;

export interface Report<Figures> extends Period {
  completeSince: Date;
  total: Figures;
  rows: Row<Figures>[];
}

export interface ResponsesReport extends Report<ResponseFigures> {
  /** The present one; null without. */
  targetMinutes: number | null;
}

export interface OutcomesReport extends Report<OutcomeFigures> {
  /** The most frequent first. */
  lostReasons: LostFigure[];
}

export interface FunnelStage extends StageCounts {
  stage: string;
  reached: number | null;
  /** The part of the leads that advanced; null when none entered. */
  toNext: number | null;
}

export interface Funnel extends Period {
  completeSince: Date;
  stages: FunnelStage[];
}

export interface WaitingView extends WaitingLead {
  seconds: number;
}

export interface WinRate extends WonAndLost {
  /** Null when none was won or lost. */
  winRate: number | null;
}

/** Reading these takes a few milliseconds. */
export const MOST_CLOSED = 2000;

const RANKS = { open: 0, won: 1, lost: 2 };
const NO_RESPONSES: ResponseCounts = {
  ...{ leads: 0, excluded: 0, answered: 0, waiting: 0, medianSeconds: null, p90Seconds: null },
  ...{ within5Minutes: 0, within15Minutes: 0, within1Hour: 0, within4Hours: 0, within24Hours: 0 },
  withinTarget: null,
};
const CELL_FIELDS = ['bucket', 'key', 'isOther'];
const NO_OUTCOMES: OutcomeCounts = { created: 0, won: 0, lost: 0, open: 0, medianSecondsToWin: null };

@Injectable()
export class ReportQueries {
  constructor(
    private readonly reader: ReportReader,
    private readonly pipelines: PipelineQueries,
    private readonly workspaces: WorkspaceRepository,
    private readonly targets: ResponseTargetRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed for a period or interval that a report can't have */
  async responses(ref: WorkspaceRef, input: ReportInput): Promise<ResponsesReport> {
    const { head, parts } = await this.prepare(ref, input);
    const targetMinutes = await this.targets.find(ref);
    const selection = { ...input, bounds: parts.bounds };
    const cells = await this.reader.responses(ref, selection, input.groupBy, targetMinutes);
    const none = { ...NO_RESPONSES, withinTarget: targetMinutes === null ? null : 0 };
    return { ...head, targetMinutes, ...rowsOf(parts, cells, (found) => withoutCell(found) ?? none) };
  }

  /** @throws ValidationFailed as `responses` does */
  async outcomes(ref: WorkspaceRef, input: ReportInput, basis: OutcomeBasis): Promise<OutcomesReport> {
    const { head, parts } = await this.prepare(ref, input);
    const selection = { ...input, bounds: parts.bounds };
    const { cells, values, lostReasons } = await this.reader.outcomes(ref, selection, input.groupBy, basis);
    const valuesAt = new Map<string, typeof values>();
    for (const value of values)
      valuesAt.set(placeOf(value), [...(valuesAt.get(placeOf(value)) ?? []), value]);
    const figures = (found: (Cell & OutcomeCounts) | undefined): OutcomeFigures => {
      const { medianSecondsToWin, ...counts } = withoutCell(found) ?? NO_OUTCOMES;
      const { created, won, lost } = counts;
      const ofWon = (found && valuesAt.get(placeOf(found))) ?? [];
      const money = ofWon.flatMap(({ currency, amount, leads }) =>
        currency === null ? [] : [{ currency, amount, leads }],
      );
      return {
        ...counts,
        daysToWin: medianSecondsToWin === null ? null : Math.round(medianSecondsToWin / 8640) / 10,
        winRate: ratio(won, won + lost),
        conversion: basis === 'created' ? ratio(won, created) : null,
        values: money.sort((one, other) => (one.currency < other.currency ? -1 : 1)),
        withoutValue: ofWon.find(({ currency }) => currency === null)?.leads ?? 0,
      };
    };
    return { ...head, ...rowsOf(parts, cells, figures), lostReasons };
  }

  /**
   * The win rate of the outcomes by `closed`, for a page that is opened often. In a large workspace it is that of the
   * `MOST_CLOSED` leads closed last.
   */
  async winRate(ref: WorkspaceRef, period: Period): Promise<WinRate> {
    const { bounds } = bucketsOf(period, 'none');
    const counts = await this.reader.wonAndLost(ref, { bounds }, MOST_CLOSED);
    return { ...counts, winRate: ratio(counts.won, counts.won + counts.lost) };
  }

  /** @throws ValidationFailed for a period that a report can't have */
  async funnel(
    ref: WorkspaceRef,
    input: Omit<ReportInput, 'interval' | 'groupBy'>,
    basis: FunnelBasis,
  ): Promise<Funnel> {
    const { head, parts } = await this.prepare(ref, { ...input, interval: 'none' });
    const stages = await this.rankedStages(ref);
    const counts = await this.reader.funnel(ref, { ...input, bounds: parts.bounds }, basis, stages);
    return {
      ...head,
      stages: counts.map((each, rank) => ({
        stage: stages[rank]!.key,
        ...each,
        reached: each.skipped === null ? null : each.entered + each.skipped,
        toNext: ratio(each.advanced, each.entered),
      })),
    };
  }

  /**
   * The leads that a number of a report counts.
   *
   * @throws ValidationFailed for a period that a report can't have
   */
  async counted(
    ref: WorkspaceRef,
    input: Omit<ReportInput, 'interval' | 'groupBy'>,
    which: CountedBy,
    request: PageRequest,
  ): Promise<Page<CountedLead>> {
    const { parts } = await this.prepare(ref, { ...input, interval: 'none' });
    const slice = await this.reader.counted(ref, { ...input, bounds: parts.bounds }, which, request);
    return pageOf(request, slice, ({ leadId, createdAt, lostAt }) => ({
      value: (which.by === 'lost' ? lostAt! : createdAt).toISOString(),
      id: leadId,
    }));
  }

  /** Whether there is anything that figures could tell of. */
  hasLeads(ref: WorkspaceRef): Promise<boolean> {
    return this.reader.hasLeads(ref);
  }

  /** The leads that wait for an answer, the longest wait first. */
  async unanswered(ref: WorkspaceRef, leads: LeadsOf, request: PageRequest): Promise<Page<WaitingView>> {
    const page = pageOf(request, await this.reader.waiting(ref, leads, request), (lead) => ({
      value: lead.awaitingReplySince.toISOString(),
      id: lead.leadId,
    }));
    const now = this.clock.now();
    const data = page.data.map((lead) => ({
      ...lead,
      seconds: secondsBetween(lead.awaitingReplySince, now),
    }));
    return { ...page, data };
  }

  private async prepare(
    ref: WorkspaceRef,
    { from, to, timeZone, interval }: Omit<ReportInput, 'groupBy'>,
  ): Promise<{ head: Period & { completeSince: Date }; parts: Buckets }> {
    const workspace = await this.workspaces.find(ref.workspaceId);
    if (!workspace) throw new NotFound('workspace');
    const period = { from, to, timeZone: timeZone ?? workspace.timeZone };
    const parts = bucketsOf(period, interval);
    const completeSince = later(await this.reader.recordedSince(), workspace.createdAt);
    return { head: { ...period, completeSince }, parts };
  }

  /** Archived stages last among those of the same outcome, since leads may have passed through them. */
  private async rankedStages(ref: WorkspaceRef): Promise<RankedStage[]> {
    const stages = await this.pipelines.stages(ref);
    return stages
      .toSorted((one, other) => RANKS[one.outcome] - RANKS[other.outcome])
      .map(({ key, outcome }) => ({ key, isLost: outcome === 'lost' }));
  }
}

/** Every bucket has a row for each group, the largest group first and those without a value last. */
function rowsOf<Counts extends Cell, Figures>(
  { buckets }: Buckets,
  cells: readonly Counts[],
  toFigures: (found: Counts | undefined) => Figures,
): Pick<Report<Figures>, 'total' | 'rows'> {
  const found = new Map(cells.map((cell) => [placeOf(cell), cell]));
  const groups = new Map<string, Group>();
  for (const { bucket, key, isOther } of cells) {
    if (bucket !== null) groups.set(groupOf({ key, isOther }), { key, isOther });
  }
  const shown = groups.size ? [...groups.values()] : [{ key: null, isOther: false }];
  const rows = buckets.flatMap((bucket, index) =>
    shown.map((group) => ({
      ...bucket,
      ...group,
      ...toFigures(found.get(placeOf({ bucket: index, ...group }))),
    })),
  );
  return { total: toFigures(cells.find(({ bucket }) => bucket === null)), rows };
}

function placeOf({ bucket, ...group }: Cell): string {
  return `${bucket} ${groupOf(group)}`;
}

function groupOf({ key, isOther }: Group): string {
  return isOther ? 'other' : key === null ? '' : `key ${key}`;
}

function withoutCell<Counts>(found: (Cell & Counts) | undefined): Counts | undefined {
  if (!found) return undefined;
  const entries = Object.entries(found).filter(([name]) => !CELL_FIELDS.includes(name));
  return Object.fromEntries(entries) as Counts;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
