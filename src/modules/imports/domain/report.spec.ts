import { firstProblems, ownValue, type PreviewRow, shortPreview } from './report';

const row = (line: number, length: number): PreviewRow => ({
  line,
  willBe: 'created',
  lead: { name: 'x'.repeat(length) },
  problems: [],
});

test('a preview ends before it is too long, but has its first row', () => {
  const lines = (rows: PreviewRow[]) => shortPreview(rows).map(({ line }) => line);
  expect(lines([])).toEqual([]);
  expect(lines([row(2, 10), row(3, 10), row(4, 10)])).toEqual([2, 3, 4]);
  expect(lines([row(2, 100_000), row(3, 40_000), row(4, 40_000), row(5, 10)])).toEqual([2, 3]);
});

test('ten problems of a row are kept, with messages that end', () => {
  const problems = Array.from({ length: 50 }, (_, index) => ({
    field: `custom.${index}`,
    message: 'must be one of '.repeat(index === 0 ? 100 : 1),
  }));
  const kept = firstProblems(problems);
  expect(kept).toHaveLength(10);
  expect(kept[0]!.message).toHaveLength(501);
  expect(kept[1]).toEqual(problems[1]);
});

test('a column without a value of its own has none', () => {
  expect(ownValue({ Date: 'DD/MM/YYYY' }, 'Date')).toBe('DD/MM/YYYY');
  for (const name of ['constructor', '__proto__', 'toString']) expect(ownValue({}, name)).toBeUndefined();
});
