import { ScopeRegistry } from './scope-registry';

test('scopes of every table are known, in order, and no others', () => {
  const registry = new ScopeRegistry({ a: 'First' }, {}, { b: 'Second', c: 'Third' });
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
  expect(() => new ScopeRegistry({ a: 'Mine' }, { b: 'x' }, { a: 'Yours' })).toThrow(
    'The scope a is registered twice.',
  );
});
