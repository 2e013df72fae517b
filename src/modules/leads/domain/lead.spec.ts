import fc from 'fast-check';
import { ValidationFailed } from '../../../kernel/errors';
import { newId } from '../../../kernel/ids';
import { entityTag } from '../../../kernel/precondition';
import { Lead, type LeadFields } from './lead';
import { STAGES } from './stage';

const workspace = { workspaceId: newId('ws'), mode: 'live' } as const;
const START = Date.parse('2027-01-15T09:30:00.000Z');
const open = (fields: Partial<LeadFields> = {}) =>
  Lead.open(workspace, { email: 'ana@example.com', ...fields }, new Date(START)).lead;

type Step = { changes: Partial<LeadFields> } | 'archive' | 'restore';
const changes: fc.Arbitrary<Partial<LeadFields>> = fc.record(
  {
    name: fc.constantFrom(null, 'Ana', 'Eva'),
    phone: fc.constantFrom(null, '+34600123456', '+34 600 123 456'),
    guests: fc.constantFrom(null, 1, 2),
    stage: fc.constantFrom(...STAGES.slice(0, 2)),
    tags: fc.constantFrom([], ['a'], ['a', 'a'], ['a', 'b'], ['b', 'a']),
  },
  { requiredKeys: [] },
);
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  changes.map((given) => ({ changes: given })),
  fc.constantFrom('archive', 'restore'),
);

describe('a lead', () => {
  test('whatever happens to it, its events tell all of it and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.integer({ min: -2, max: 5 })), { maxLength: 12 }), (steps) => {
        const lead = open();
        let now = START;
        for (const [each, passed] of steps) {
          now += passed;
          const before = lead.view();
          const apply = () =>
            each === 'archive'
              ? lead.archive(new Date(now))
              : each === 'restore'
                ? lead.restore(new Date(now))
                : lead.update(each.changes, new Date(now));
          if (before.archivedAt && typeof each === 'object') {
            expect(apply).toThrow(ValidationFailed);
            expect(lead.view()).toEqual(before);
            continue;
          }
          const events = apply();
          const after = lead.view();
          if (events.length === 0) expect(after).toEqual(before);
          else {
            expect(entityTag(after)).not.toBe(entityTag(before));
            expect(after.updatedAt > before.updatedAt).toBe(true);
          }
          for (const { data, timestamp } of events) {
            expect(data).toEqual(after);
            expect(timestamp).toEqual(after.updatedAt);
          }
          // The first event's `previous` restores the former state, and contains changed values only.
          if (events[0]) expect({ ...after, ...events[0].previous }).toEqual(before);
          expect(events.some(({ type }) => type === 'lead.stage_changed')).toBe(before.stage !== after.stage);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each<[LeadFields['stage'], LeadFields['stage']]>([
    ['new_enquiry', 'proposal_sent'],
    ['proposal_sent', 'proposal_sent'],
    ['negotiation', 'negotiation'],
    ['completed', 'completed'],
    ['lost', 'proposal_sent'],
  ])('when a proposal is sent: from %s to %s', (stage, expected) => {
    const lead = open({ stage });
    const events = lead.advance('proposal_sent', new Date(START));
    expect(lead.stage).toBe(expected);
    expect(events.map(({ type }) => type)).toEqual(
      stage === expected ? [] : ['lead.updated', 'lead.stage_changed'],
    );
  });

  test('an archived lead isn’t moved on', () => {
    const lead = open();
    lead.archive(new Date(START));
    expect(lead.advance('confirmed', new Date(START))).toEqual([]);
    expect(lead.stage).toBe('new_enquiry');
  });

  test('looks for words in the lower case of name, e-mail, phone and tags, each on a line', () => {
    const lead = open({ name: 'ANA', phone: '+34 600 123 456', tags: ['VIP', 'b c'] });
    expect(lead.searchText).toBe('ana\nana@example.com\n+34600123456\nvip\nb c');
    expect(open().searchText).toBe('ana@example.com');
  });
});
