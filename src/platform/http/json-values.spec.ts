import fc from 'fast-check';
import { excessOfValues } from './json-values';

const MAX = 10;

/** Members of objects count with their values, as items of lists do. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, inner) => count + countOf(inner), 1);
}

test('what holds as many values as may be is let through, whatever its texts hold', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3, withNullPrototype: false }), fc.boolean(), (value, isSpaced) => {
      const json = Buffer.from(JSON.stringify(value, null, isSpaced ? 1 : 0));
      expect(excessOfValues(json, countOf(JSON.parse(json.toString())))).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

const fieldOf = (json: string) => excessOfValues(Buffer.from(json), MAX)?.field?.toString();
const list = (item: string, count: number) => `[${Array<string>(count).fill(item).join()}]`;

test('what holds more than twice as many is not, and the field is told', () => {
  const long = list('0', 2 * MAX + 2);
  expect(fieldOf(`{"a":1,"tags":${long},"b":2}`)).toBe('"tags"');
  expect(fieldOf(`{"a":{"c":{}},"li\\"ne":[{"x":${long}}]}`)).toBe('"li\\"ne"');
  expect(fieldOf(`{"a":"[[,,{","b" : ${list('{}', 2 * MAX)} }`)).toBe('"b"');
  expect(fieldOf(`{"deep":${'['.repeat(2 * MAX)}`)).toBe('"deep"');
  for (const item of ['[]', '"a"', '{"a":1}']) {
    expect(excessOfValues(Buffer.from(list(item, 2 * MAX + 2)), MAX)).toEqual({ field: undefined });
  }
});

test('text that is no JSON ends it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('"', '\\', '{', '[', ',', '}', ']', 'a')), (parts) => {
      expect(() => excessOfValues(Buffer.from(parts.join('')), MAX)).not.toThrow();
    }),
  );
});
