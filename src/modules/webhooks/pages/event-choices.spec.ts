import { eventBranches, withoutCovered } from './event-choices';

const WORDS = [
  ['lead.created', 'A lead was created'],
  ['api_key.revoked', 'An API key was revoked'],
  ['lead.archived', 'A lead was archived'],
  ['loyalty.redeemed', 'Someone redeemed points'],
  ['webhook.test', 'Someone tries out an endpoint'],
] as const;

test('events are offered by the object that they tell of', () => {
  const branches = eventBranches(WORDS, []);
  expect(branches.map(({ label }) => label)).toEqual(['Leads', 'API keys', 'Loyalties']);
  expect(branches[0]).toEqual({
    label: 'Leads',
    all: { value: 'lead.*', label: 'All of leads', hint: 'lead.*' },
    items: [
      { value: 'lead.created', label: 'A lead was created', hint: 'lead.created' },
      { value: 'lead.archived', label: 'A lead was archived', hint: 'lead.archived' },
    ],
  });
});

test('what an endpoint listens to besides is offered, too', () => {
  const others = eventBranches(WORDS, ['*', 'lead.*', 'lead.created', 'webhook.test', 'gone.for_good']).at(
    -1,
  );
  expect(others).toEqual({
    label: 'Others',
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
