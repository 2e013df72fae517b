import { inOrder } from './input-problems';
import { decodeQuery } from './request-input';

test('a query with more parameters than any route takes is refused before they cost time', () => {
  const query = (count: number) => `/x?${Array<string>(count).fill('a=1').join('&')}`;
  expect(decodeQuery(query(100)).a).toHaveLength(100);
  expect(() => decodeQuery(query(101))).toThrow('more than 100 parameters');
});

test('an answer names at most fifty offending fields, email first, and no name is longer than it helps', () => {
  const problems = Array.from({ length: 200 }, (_, index) => ({ field: `f${index}`, message: 'x' }));
  const told = inOrder([
    { field: 'n'.repeat(5000), message: 'x' },
    ...problems,
    { field: 'email', message: 'x' },
  ]);
  expect(told).toHaveLength(50);
  expect(told[0]!.field).toBe('email');
  expect(told[1]!.field).toBe(`${'n'.repeat(100)}…`);
});
