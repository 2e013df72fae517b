import fc from 'fast-check';
import { compareEntries, type TimelinePart, TimelineParts, type TimelinePosition } from './timeline';

const position: fc.Arbitrary<TimelinePosition> = fc.record({
  at: fc.integer({ min: 0, max: 2 }).map((ms) => new Date(ms)),
  type: fc.constantFrom('activity', 'message', 'message_sent'),
  id: fc.constantFrom('a', 'b', '_', '1'),
});

test('entries have one order: by time, type and id, latest first', () => {
  fc.assert(
    fc.property(fc.array(position), (entries) => {
      const keys = entries
        .toSorted(compareEntries)
        .map(({ at, type, id }) => `${at.getTime()} ${type}\0${id}`);
      expect(keys).toEqual(keys.toSorted().toReversed());
    }),
  );
});

test('a part has a name of its own', () => {
  const part: TimelinePart = { name: 'visits', scope: 'calendar:read', read: () => Promise.resolve([]) };
  const parts = new TimelineParts();
  parts.add(part);
  expect(() => parts.add({ ...part })).toThrow('The part visits is added to the timeline twice.');
  expect(parts.all()).toEqual([part]);
});
