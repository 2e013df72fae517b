import type { ValidationError } from 'class-validator';
import fc from 'fast-check';
import { inOrder, structuralProblems, validationProblems } from './input-problems';

const fieldsOf = (input: object) => structuralProblems(input).map(({ field }) => field);
const nested = (depth: number, inner: unknown): object => {
  let value = inner;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value as object;
};

describe('structuralProblems', () => {
  test('finds nothing in any sound value', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !(text in Object.prototype));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(fc.property(value, (sound) => expect(structuralProblems({ sound })).toEqual([])));
  });

  test('finds bad text wherever it hides, and names the place', () => {
    expect(fieldsOf({ a: 'x\0', b: 'sound', c: { d: '\ud800' } })).toEqual(['a', 'c.d']);
    expect(fieldsOf({ tags: ['sound', 'x\0', '\ud800'] })).toEqual(['tags', 'tags']);
    expect(fieldsOf({ items: [{ text: 'sound' }, { text: 'x\0' }] })).toEqual(['items[1].text']);
    expect(fieldsOf({ grid: [['x\0']] })).toEqual(['grid[0]']);
  });

  test.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__lookupGetter__', ''])(
    'refuses the name %j at any depth',
    (name) => {
      const object = () => JSON.parse(`{${JSON.stringify(name)}:1}`) as object;
      const written = name || '""';
      expect(fieldsOf(object())).toEqual([written]);
      expect(fieldsOf({ a: object() })).toEqual([name ? `a.${name}` : 'a.']);
      expect(fieldsOf({ a: [object()] })).toEqual([name ? `a[0].${name}` : 'a[0].']);
    },
  );

  test('takes 16 levels and refuses more, without going deeper itself', () => {
    expect(fieldsOf(nested(16, 'x'))).toEqual([]);
    expect(fieldsOf(nested(17, 'x'))).toEqual([Array(16).fill('a').join('.')]);
    expect(fieldsOf({ a: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as object })).toHaveLength(1);
  });

  test('looks through a query, which has no prototype', () => {
    const query = Object.assign(Object.create(null) as object, { q: 'x\0', many: ['a', 'b\0'] });
    expect(fieldsOf(query)).toEqual(['q', 'many']);
  });
});

describe('validationProblems', () => {
  const error = (property: string, rest: Partial<ValidationError> = {}) =>
    ({ property, ...rest }) as ValidationError;

  test('names fields by their path, and unknown ones as unknown', () => {
    const problems = validationProblems([
      error('email', { constraints: { rule: 'is required' } }),
      error('nonsense', { constraints: { whitelistValidation: 'property nonsense should not exist' } }),
      error('items', {
        children: [
          error('0', { children: [error('quantity', { constraints: { rule: 'must be positive' } })] }),
        ],
      }),
      error('silent'),
    ]);
    expect(problems).toEqual([
      { field: 'email', message: 'is required' },
      { field: 'nonsense', message: 'is not a known field here' },
      { field: 'items[0].quantity', message: 'must be positive' },
    ]);
  });
});

describe('inOrder', () => {
  test('keeps the first problem of each field, and puts email in front', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ field: fc.constantFrom('a', 'b', 'email', 'c'), message: fc.string() })),
        (given) => {
          const ordered = inOrder(given);
          const fields = ordered.map(({ field }) => field);
          expect(new Set(fields).size).toBe(fields.length);
          for (const { field, message } of ordered) {
            expect(given.find((problem) => problem.field === field)!.message).toBe(message);
          }
          if (given.some(({ field }) => field === 'email')) expect(fields[0]).toBe('email');
          const others = [...new Set(given.map(({ field }) => field))].filter((field) => field !== 'email');
          expect(fields.filter((field) => field !== 'email')).toEqual(others);
        },
      ),
    );
  });
});
