import fc from 'fast-check';
import { scopeSummary } from './scope-summary';

const ALL = ['leads:read', 'leads:write', 'tasks:read', 'gifts'];

test.each([
  [[], 'None'],
  [ALL, 'Full access'],
  [[...ALL, 'former:read'].toReversed(), 'Full access'],
  [['leads:read'], 'Leads: read'],
  [['leads:read', 'leads:write'], 'Leads: read, write'],
  [['leads:read', 'tasks:read', 'leads:write'], 'Leads: read, write · +1'],
  [['leads:read', 'leads:read'], 'Leads: read'],
  [['gifts'], 'Gifts'],
  [['price_lists:read:all', 'leads:read'], 'Price lists: read:all · +1'],
])('%j is %j', (scopes, summary) => {
  expect(scopeSummary(scopes, ALL)).toBe(summary);
});

test('without any scope, nothing is full access', () => {
  expect(scopeSummary([], [])).toBe('None');
  expect(scopeSummary(['leads:read'], [])).toBe('Leads: read');
});

test('every scope is named or counted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...ALL, 'a:b', 'a:c', 'd')), (scopes) => {
      const summary = scopeSummary(scopes, [...ALL, 'never']);
      const counted = Number(/· \+(\d+)$/.exec(summary)?.[1] ?? 0);
      const named = summary === 'None' ? 0 : (summary.split(' · ')[0]!.match(/,/g)?.length ?? 0) + 1;
      expect(named + counted).toBe(scopes.length);
    }),
  );
});
