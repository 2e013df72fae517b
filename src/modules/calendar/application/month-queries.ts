import { Injectable } from '@nestjs/common';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { EventFilter, ShownOutline } from './calendar-queries';
import { RankedHolds, type Reading } from './ranked-holds';

/** The most entries of a month that are counted. */
export const MOST_COUNTED = 6000;

/** An entry on the days of a month, which count from 0. */
export interface MonthEntry extends ShownOutline {
  readonly spaceIds: readonly SpaceId[];
  readonly guests: number | null;
  readonly firstDay: number;
  readonly lastDay: number;
}

export interface MonthReading {
  readonly entries: MonthEntry[];
  /** How many entries each day has; those beyond `MOST_COUNTED` are left out. */
  readonly counts: readonly number[];
  readonly isCut: boolean;
}

/** The days of whole weeks. */
export interface MonthDays {
  /** The first instant of each day. */
  readonly starts: readonly Date[];
  readonly end: Date;
}

export type MonthFilter = Pick<EventFilter, 'type' | 'spaceId'>;

export interface MonthLimits {
  /** Of each week, the entries that begin in it on one day. Those that go on from the week before begin on its first day. */
  readonly eachDay: number;
  /** The length at which titles are cut, in code points. */
  readonly title: number;
  /** Whether entries of less than 24 hours stand on their first day alone, also those that end after midnight. */
  readonly nightsOnce: boolean;
}

export abstract class MonthReader {
  /** Confirmed entries, and how many there are. It returns no more entries than the limits allow, whatever it counts. */
  abstract read(
    ref: WorkspaceRef,
    days: MonthDays,
    filter: MonthFilter,
    limits: MonthLimits,
  ): Promise<Reading<MonthReading>>;
}

/** What the month page shows. */
@Injectable()
export class MonthQueries {
  constructor(
    private readonly reader: MonthReader,
    private readonly holds: RankedHolds,
  ) {}

  async read(
    ref: WorkspaceRef,
    days: MonthDays,
    filter: MonthFilter,
    limits: MonthLimits,
  ): Promise<MonthReading> {
    const { result, nextHoldAt } = await this.holds.settled(ref, () =>
      this.reader.read(ref, days, filter, limits),
    );
    if (!nextHoldAt) return result;
    return { ...result, entries: await this.holds.withStandings(ref, result.entries) };
  }
}
