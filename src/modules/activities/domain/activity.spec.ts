import fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { Activity, ACTIVITY_TYPES, type ActivityFields, DIRECTIONS } from './activity';

const workspace = { workspaceId: newId('ws'), mode: 'live' } as const;
const leadId = newId('lead');
const author = { type: 'api_key', id: 'key_1', name: 'Phone system' } as const;
const NOW = new Date('2027-01-15T09:30:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

function log(fields: Partial<ActivityFields> = {}) {
  return Activity.log(workspace, leadId, { type: 'call', text: 'Hello', ...fields }, author, NOW);
}

test('a logged activity has an event, and takes place now by default', () => {
  const { activity, events } = log();
  expect(activity.view()).toMatchObject({ at: NOW, direction: null, externalId: null, author, revision: 1 });
  expect(events).toEqual([
    expect.objectContaining({ type: 'activity.created', workspace, timestamp: NOW, data: activity.view() }),
  ]);
});

test('the address and scopes of an actor aren’t kept', () => {
  const actor = { ...author, address: '192.0.2.1', scopes: ['leads:write'] };
  const { activity } = Activity.log(workspace, leadId, { type: 'note', text: 'Hello' }, actor, NOW);
  expect(activity.author).toEqual(author);
});

test('it takes place at most five minutes ahead', () => {
  expect(log({ at: later(300_000) }).activity.at).toEqual(later(300_000));
  expect(() => log({ at: later(300_001) })).toThrow('at: must be at most 5 minutes ahead');
  const { activity } = log();
  expect(() => activity.change({ at: later(300_001) }, NOW)).toThrow('at: must be at most 5 minutes ahead');
});

const fields: fc.Arbitrary<Partial<ActivityFields>> = fc.record(
  {
    type: fc.constantFrom(...ACTIVITY_TYPES),
    direction: fc.constantFrom(null, ...DIRECTIONS),
    text: fc.constantFrom('Hello', 'Goodbye', 'null'),
    at: fc.constantFrom(NOW, new Date(NOW), later(-1000)),
  },
  { requiredKeys: [] },
);

test('each change tells what was there before, and one without a difference tells nothing', () => {
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 10 }), (changes) => {
      const { activity } = log();
      for (const change of changes) {
        const before = activity.view();
        const isDifferent = Object.entries(change).some(
          ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ActivityFields]),
        );
        const events = activity.change(change, NOW);
        expect(activity.view()).toMatchObject(change);
        expect(events).toHaveLength(isDifferent ? 1 : 0);
        if (!isDifferent) {
          expect(activity.view()).toEqual(before);
          continue;
        }
        expect({ ...activity.view(), ...events[0]!.previous }).toEqual(before);
        expect(activity.revision).toBe(before.revision + 1);
        expect(activity.editedAt!.getTime()).toBeGreaterThan((before.editedAt ?? NOW).getTime());
      }
    }),
  );
});
