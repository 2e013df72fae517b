import type { LeadId, LostReasonId, UserId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Buckets } from '../domain/buckets';

export const GROUPS = ['none', 'source', 'owner', 'lostReason'] as const;
export type GroupBy = (typeof GROUPS)[number];
/** Response times are those of leads, lost or not. */
export const RESPONSE_GROUPS = ['none', 'source', 'owner'] as const;

export const BASES = ['closed', 'created'] as const;
export type OutcomeBasis = (typeof BASES)[number];
export const FUNNEL_BASES = ['created', 'entered'] as const;
export type FunnelBasis = (typeof FUNNEL_BASES)[number];

/** Further groups are added together. */
export const MAX_GROUPS = 100;

export interface LeadsOf {
  source?: string;
  /** Null: without an owner. */
  ownerId?: UserId | null;
  tag?: string;
}

/** The names of the filters that are set, those that cost most first. */
export function filtersOf(leads: LeadsOf): (keyof LeadsOf)[] {
  return (['tag', 'source', 'ownerId'] as const).filter((name) => leads[name] !== undefined);
}

export interface Selection extends LeadsOf {
  readonly bounds: Buckets['bounds'];
}

/** The place of a row: its bucket, and its group among those of the answer. */
export interface Cell {
  /** From 0; null in the totals. */
  readonly bucket: number | null;
  readonly key: string | null;
  readonly isOther: boolean;
}

export interface ResponseCounts {
  leads: number;
  excluded: number;
  answered: number;
  waiting: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
  within5Minutes: number;
  within15Minutes: number;
  within1Hour: number;
  within4Hours: number;
  within24Hours: number;
  /** Null without a target. */
  withinTarget: number | null;
}

export interface OutcomeCounts {
  created: number;
  won: number;
  lost: number;
  open: number;
  medianSecondsToWin: number | null;
}

export interface Money {
  currency: string;
  /** In the minor unit of the currency. */
  amount: number;
  leads: number;
}

/** Lost leads of one reason; null: without one. */
export interface LostFigure {
  lostReasonId: LostReasonId | null;
  leads: number;
}

export interface StageCounts {
  entered: number;
  advanced: number;
  wentBack: number;
  lost: number;
  still: number;
  /** Null by `entered`. */
  skipped: number | null;
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/** A stage in the order in which leads pass through: open, won, lost. */
export interface RankedStage {
  readonly key: string;
  readonly isLost: boolean;
}

export interface WaitingLead {
  leadId: LeadId;
  awaitingReplySince: Date;
  stage: string;
  source: string | null;
  ownerId: UserId | null;
}

export interface OutcomeRows {
  readonly cells: readonly (Cell & OutcomeCounts)[];
  /** Of won leads; those without a proposal have no currency. */
  readonly values: readonly (Cell & { currency: string | null; amount: number; leads: number })[];
  /** Of all lost leads that count, the most frequent first. */
  readonly lostReasons: LostFigure[];
}

export const RESPONSES = ['excluded', 'answered', 'waiting'] as const;

/** The leads that a number of a report counts: those of a selection that meet each given condition. */
export interface CountedBy {
  /** Whether they were created in the period, or lost in it and still are. */
  readonly by: 'created' | 'lost';
  /** They have been at that stage. */
  readonly stage?: string;
  readonly response?: (typeof RESPONSES)[number];
  /** They were answered within that time. */
  readonly withinMinutes?: number;
  readonly hasNoSource?: true;
  /** Null: without one. */
  readonly lostReasonId?: LostReasonId | null;
}

export interface CountedLead {
  readonly leadId: LeadId;
  readonly name: string | null;
  readonly email: string;
  readonly stage: string;
  readonly source: string | null;
  readonly createdAt: Date;
  readonly lostAt: Date | null;
}

/** Reports are kept waiting, or refused, while others run. */
export interface WonAndLost {
  won: number;
  lost: number;
  /** More leads were closed than were read. */
  isPartial: boolean;
}

export abstract class ReportReader {
  abstract responses(
    ref: WorkspaceRef,
    selection: Selection,
    groupBy: GroupBy,
    targetMinutes: number | null,
  ): Promise<readonly (Cell & ResponseCounts)[]>;
  abstract outcomes(
    ref: WorkspaceRef,
    selection: Selection,
    groupBy: GroupBy,
    basis: OutcomeBasis,
  ): Promise<OutcomeRows>;
  /** Reads the `most` leads that were closed last, and so waits for no report. */
  abstract wonAndLost(ref: WorkspaceRef, selection: Selection, most: number): Promise<WonAndLost>;
  /** In the order of the stages. */
  abstract funnel(
    ref: WorkspaceRef,
    selection: Selection,
    basis: FunnelBasis,
    stages: readonly RankedStage[],
  ): Promise<StageCounts[]>;
  /** The newest first: by creation, or by loss. */
  abstract counted(
    ref: WorkspaceRef,
    selection: Selection,
    which: CountedBy,
    request: PageRequest,
  ): Promise<Slice<CountedLead>>;
  abstract hasLeads(ref: WorkspaceRef): Promise<boolean>;
  abstract waiting(ref: WorkspaceRef, leads: LeadsOf, request: PageRequest): Promise<Slice<WaitingLead>>;
  /** From then on, all stays and responses are recorded. */
  abstract recordedSince(): Promise<Date>;
}
