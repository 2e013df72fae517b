/** So many entries of a day are shown, one below the other; the rest is a number. */
export const LANES = 3;
const WEEK = 7;

/** An entry on days that count from 0, the first week first. */
export interface Spanning {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** An entry on one of its days. */
export interface InLane<Entry> {
  readonly entry: Entry;
  /** From 0; the same on all its days of a week. */
  readonly lane: number;
  /** How many days of the week it has from this one on, or 0 if it began on an earlier day of the week. */
  readonly span: number;
}

export interface DayOfWeek<Entry> {
  /** By lane. */
  readonly shown: readonly InLane<Entry>[];
  /** How many more there are. */
  readonly more: number;
}

/**
 * Puts the entries of a week into lanes, so that one of several days can be drawn as one bar. An entry finds room on its
 * first day in the week or not at all, since all entries before it in order have begun by then.
 *
 * @param inOrder entries that begin on the same day of the week stand in this order
 * @param counts how many entries each day has
 */
export function layOutWeek<Entry extends Spanning>(
  week: number,
  inOrder: readonly Entry[],
  counts: readonly number[],
): DayOfWeek<Entry>[] {
  const [first, last] = [week * WEEK, week * WEEK + WEEK - 1];
  const bars = inOrder
    .filter(({ firstDay, lastDay }) => firstDay <= last && lastDay >= first)
    .map((entry) => ({
      entry,
      from: Math.max(entry.firstDay, first),
      to: Math.min(entry.lastDay, last),
    }))
    // Sorting is stable.
    .sort((one, other) => one.from - other.from || other.to - one.to);
  const takenUntil = Array<number>(LANES).fill(first - 1);
  const placed = bars.flatMap((bar) => {
    const lane = takenUntil.findIndex((day) => day < bar.from);
    if (lane < 0) return [];
    takenUntil[lane] = bar.to;
    return { ...bar, lane };
  });
  return Array.from({ length: WEEK }, (_, index) => {
    const day = first + index;
    const shown = placed
      .filter(({ from, to }) => from <= day && to >= day)
      .sort((one, other) => one.lane - other.lane)
      .map(({ entry, lane, from, to }) => ({ entry, lane, span: from === day ? to - from + 1 : 0 }));
    return { shown, more: Math.max(0, (counts[day] ?? 0) - shown.length) };
  });
}
