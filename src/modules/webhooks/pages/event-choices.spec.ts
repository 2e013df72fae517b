import { eventBranches, withoutCovered } from './event-choices';

const WORDS = [
  ['lead.created', 'A lead was created'],
  ['api_key.revoked', 'An API key was revoked'],
  ['lead.archived', 'A lead was archived'],
  ['loyalty.redeemed', 'Someone redeemed points'],
  ['webhook.test', 'A test event was sent to an endpoint'],
] as const;

test('events are grouped by their object', () => {
  const branches = eventBranches(WORDS, []);
  expect(branches.map(({ label }) => label)).toEqual(['Leads', 'API keys', 'Loyalties']);
  expect(branches[0]).toEqual({
    label: 'Leads',
    all: { value: 'lead.*', label: 'All lead events', hint: 'lead.*' },
    items: [
      { value: 'lead.created', label: 'A lead was created', hint: 'lead.created' },
      { value: 'lead.archived', label: 'A lead was archived', hint: 'lead.archived' },
    ],
  });
});

test('patterns of an endpoint that no longer exist are offered, too', () => {
  const others = eventBranches(WORDS, ['*', 'lead.*', 'lead.created', 'webhook.test', 'gone.for_good']).at(
    -1,
  );
  expect(others).toEqual({
    label: 'Other',
    items: [
      { value: 'webhook.test', label: 'webhook.test' },
      { value: 'gone.for_good', label: 'gone.for_good' },
    ],
  });
});

test.each([
  [[], []],
  [['lead.created'], ['lead.created']],
  [
    ['lead.*', 'lead.created', 'api_key.revoked'],
    ['lead.*', 'api_key.revoked'],
  ],
  [['lead.created', '*', 'lead.*'], ['*']],
])('%j is %j', (patterns, rest) => expect(withoutCovered(patterns)).toEqual(rest));
