import { ScopeRegistry } from './scope-registry';

const registryOf = (...tables: Record<string, string>[]) =>
  new ScopeRegistry(...tables.map((entries, index) => ({ by: `Module${index + 1}`, entries })));

test('scopes of every table are known, in order, and no others', () => {
  const registry = registryOf({ a: 'First' }, {}, { b: 'Second', c: 'Third' });
  expect(registry.entries()).toEqual([
    ['a', 'First'],
    ['b', 'Second'],
    ['c', 'Third'],
  ]);
  expect(['a', 'c', 'd', '', 'toString', '__proto__'].map((scope) => registry.has(scope))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a scope that is registered twice is refused by name', () => {
  expect(() => registryOf({ a: 'Mine' }, { b: 'x' }, { a: 'Yours' })).toThrow(
    'The scope a is registered twice: by Module1 and by Module3. Rename one of them.',
  );
});

test.each(['leads:read', 'points', 'loyalty-cards:read_all', 'a.b:c9'])('%j can be a scope', (scope) => {
  expect(registryOf({ [scope]: 'x' }).has(scope)).toBe(true);
});

test.each([
  '',
  ' ',
  'leads read',
  'Leads:read',
  'leads:READ',
  'leads:read,x',
  'a+b',
  'a"',
  'a:',
  ':a',
  'é',
  'a\n',
])('%j can’t be a scope, and whoever registers it is named', (scope) => {
  expect(() => registryOf({ 'leads:read': 'x' }, { [scope]: 'x' })).toThrow(
    `Module2 registers the scope ${JSON.stringify(scope)}, which must be lower-case letters and digits`,
  );
});
