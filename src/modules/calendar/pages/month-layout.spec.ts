import fc from 'fast-check';
import { LANES, layOutWeek, type Spanning } from './month-layout';

const bar = (firstDay: number, lastDay = firstDay): Spanning => ({ firstDay, lastDay });

/** How many of the entries each of 42 days has. */
function countsOf(entries: readonly Spanning[]): number[] {
  return Array.from(
    { length: 42 },
    (_, day) => entries.filter(({ firstDay, lastDay }) => firstDay <= day && lastDay >= day).length,
  );
}

const layOut = (entries: readonly Spanning[], week = 0) => layOutWeek(week, entries, countsOf(entries));

/** What a day shows: for each entry its place in the list, its lane, and its days from there. */
function shownOn(entries: readonly Spanning[], day: number) {
  const { shown, more } = layOut(entries, Math.floor(day / 7))[day % 7]!;
  return [...shown.map(({ entry, lane, span }) => [entries.indexOf(entry), lane, span]), more];
}

test('an entry of one day stands on it, and nowhere else', () => {
  const entries = [bar(2)];
  expect(shownOn(entries, 1)).toEqual([0]);
  expect(shownOn(entries, 2)).toEqual([[0, 0, 1], 0]);
  expect(shownOn(entries, 3)).toEqual([0]);
});

test('an entry of several days is one bar in one lane, and goes on below it', () => {
  const entries = [bar(1, 3)];
  expect(shownOn(entries, 1)).toEqual([[0, 0, 3], 0]);
  expect(shownOn(entries, 2)).toEqual([[0, 0, 0], 0]);
  expect(shownOn(entries, 3)).toEqual([[0, 0, 0], 0]);
});

test('a bar over the end of a week begins again with the next one', () => {
  const entries = [bar(5, 15)];
  expect(shownOn(entries, 5)).toEqual([[0, 0, 2], 0]);
  expect(shownOn(entries, 7)).toEqual([[0, 0, 7], 0]);
  expect(shownOn(entries, 14)).toEqual([[0, 0, 2], 0]);
  expect(shownOn(entries, 16)).toEqual([0]);
});

test('longer bars come first, and leave their lane when they end', () => {
  const entries = [bar(0), bar(0, 4), bar(2), bar(5)];
  expect(shownOn(entries, 0)).toEqual([[1, 0, 5], [0, 1, 1], 0]);
  expect(shownOn(entries, 2)).toEqual([[1, 0, 0], [2, 1, 1], 0]);
  expect(shownOn(entries, 5)).toEqual([[3, 0, 1], 0]);
});

test('a day without room for all says how many more there are', () => {
  const entries = [bar(0, 6), bar(3), bar(3), bar(3), bar(3, 4)];
  expect(shownOn(entries, 3)).toEqual([[0, 0, 0], [4, 1, 2], [1, 2, 1], 2]);
  expect(shownOn(entries, 4)).toEqual([[0, 0, 0], [4, 1, 0], 0]);
});

test('entries that were only counted are among those that are not shown', () => {
  const entries = [bar(0), bar(0), bar(0)];
  const [first] = layOutWeek(0, entries, [5000, 1]);
  expect(first!.more).toBe(4997);
});

const weeks = fc.array(
  fc.tuple(fc.nat(41), fc.nat(20)).map(([first, days]) => bar(first, Math.min(41, first + days))),
  { maxLength: 60 },
);

test('on no day do two entries share a lane, and shown and hidden ones are all there are', () => {
  fc.assert(
    fc.property(weeks, fc.nat(5), (entries, week) => {
      const counts = countsOf(entries);
      for (const [index, { shown, more }] of layOut(entries, week).entries()) {
        const lanes = shown.map(({ lane }) => lane);
        expect(new Set(lanes).size).toBe(lanes.length);
        expect(Math.max(0, ...lanes)).toBeLessThan(LANES);
        expect(shown.length + more).toBe(counts[week * 7 + index]);
      }
    }),
  );
});

test('the first entries by length that begin on each day of a week suffice to lay it out', () => {
  fc.assert(
    fc.property(weeks, fc.nat(5), (entries, week) => {
      const [first, last] = [week * 7, week * 7 + 6];
      const read = entries.filter((entry) => {
        const from = Math.max(entry.firstDay, first);
        const rivals = entries.filter(
          (other) => other.lastDay >= first && Math.max(other.firstDay, first) === from,
        );
        const until = (each: Spanning) => Math.min(each.lastDay, last);
        const better = rivals.filter(
          (other) =>
            until(other) > until(entry) ||
            (until(other) === until(entry) && entries.indexOf(other) < entries.indexOf(entry)),
        );
        return better.length < LANES;
      });
      const counts = countsOf(entries);
      expect(layOutWeek(week, read, counts)).toEqual(layOutWeek(week, entries, counts));
    }),
  );
});
