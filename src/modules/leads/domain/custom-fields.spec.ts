import fc from 'fast-check';
import { problemsOf } from '../../../kernel/errors';
import { newId } from '../../../kernel/ids';
import { CustomFields, haveValues, MAX_VALUE_BYTES, type StoredValues } from './custom-fields';
import { checkFilter, checkValue, FIELD_TYPES, type FieldType, hasOptions } from './field-value';
import type { LeadFieldView } from './lead-field';

const OPTIONS = ['garden', 'Great hall', 'old'].map((value) => ({
  value,
  label: value,
  archived: value === 'old',
}));
const field = (type: FieldType, more: Partial<LeadFieldView> = {}): LeadFieldView => ({
  id: newId('field'),
  key: type,
  label: type,
  description: null,
  type,
  options: hasOptions(type) ? OPTIONS : [],
  isRequired: false,
  position: 1,
  archivedAt: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...more,
});
const everyType = new CustomFields(FIELD_TYPES.map((type) => field(type)));

/** Values of the right type for the most part, and anything that JSON can hold. */
const values = fc.dictionary(
  fc.constantFrom(...FIELD_TYPES, 'nonsense', 'toString'),
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      ...[null, 0, -1.5, 1e-10, 999_999_999_999_999, true, 'a', 'old', 'garden', [], ['garden', 'garden']],
      ...['2027-06-12', '2027-06-12T16:00:00Z', '9999-12-31T23:59:59-01:00', 'https://example.com'],
    ),
    fc.double(),
    fc.maxSafeInteger(),
  ),
);
const storedBy = (given: object): StoredValues => {
  let stored: StoredValues = {};
  problemsOf(() => (stored = everyType.forNew(given as Record<string, unknown>)));
  return stored;
};

test('whatever is given, it is refused with a path or stored in a form that changes nothing when it is sent again', () => {
  fc.assert(
    fc.property(values, (given) => {
      const problems = problemsOf(() => everyType.forNew(given));
      expect(problems.every(({ field: path, message }) => /^custom\b/.test(path) && message !== '')).toBe(
        true,
      );
      if (problems.length > 0) return;
      const stored = everyType.forNew(given);
      expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
      const shown = everyType.shown(stored);
      expect(Object.keys(shown)).toEqual([...FIELD_TYPES]);
      expect(everyType.changes(stored, shown)).toBeUndefined();
      expect(everyType.changes(stored, given)).toBeUndefined();
    }),
  );
});

test('changes name what differs, and give what was given once they are merged', () => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      const [before, wanted] = [storedBy(one), storedBy(other)];
      const given = everyType.shown(wanted);
      const changes = everyType.changes(before, given) ?? {};
      expect(everyType.merged(before, changes)).toEqual(wanted);
      for (const key of Object.keys(changes)) expect(changes[key]).not.toEqual(before[key]);
    }),
  );
});

test('a value is found by the filter with its text', () => {
  const texts = fc.record({ type: fc.constantFrom(...FIELD_TYPES), given: fc.jsonValue({ maxDepth: 1 }) });
  fc.assert(
    fc.property(texts, ({ type, given }) => {
      const found = checkValue(field(type), given);
      if ('problem' in found || found.value === null || Array.isArray(found.value)) return;
      if (typeof found.value === 'number' && String(found.value).includes('e')) return;
      expect(checkFilter(field(type), String(found.value))).toEqual({ value: found.value });
    }),
  );
});

test('whether a lead has the values of a filter is told as the database does', () => {
  const shown = everyType.shown({
    text: 'Zoë',
    integer: 12,
    boolean: false,
    datetime: '2027-06-12T16:00:00.000Z',
    select: 'Great hall',
    multi_select: ['garden', 'Great hall'],
  });
  const has = (given: Record<string, string>) => haveValues(shown, everyType.filter(given));
  const [text, datetime] = ['ZOE\u0308', '2027-06-12T18:00:00+02:00'];
  expect(has({ text, datetime, integer: '12.0', boolean: 'false', select: 'GREAT HALL' })).toBe(true);
  expect([has({ multi_select: 'GARDEN' }), has({ multi_select: 'great hall' })]).toEqual([true, true]);
  const others: Record<string, string>[] = [
    { text: 'Zo' },
    { integer: '13' },
    { boolean: 'true' },
    { select: 'garden' },
  ];
  for (const other of [...others, { multi_select: 'old' }, { url: 'https://example.com' }]) {
    expect(has(other)).toBe(false);
    expect(has({ text, ...other })).toBe(false);
  }
});

test('an archived option is kept, but not given', () => {
  expect(problemsOf(() => everyType.forNew({ select: 'old' }))).toHaveLength(1);
  expect(everyType.changes({ select: 'old' }, { select: 'old' })).toBeUndefined();
  expect(everyType.changes({ multi_select: ['old'] }, { multi_select: ['garden', 'old'] })).toEqual({
    multi_select: ['garden', 'old'],
  });
});

test('required fields bind new leads alone', () => {
  const fields = new CustomFields([
    field('text', { isRequired: true }),
    field('boolean', { isRequired: true }),
  ]);
  expect(problemsOf(() => fields.forNew()).map(({ field: path }) => path)).toEqual([
    'custom.text',
    'custom.boolean',
  ]);
  expect(fields.forNew({ text: 'a', boolean: false })).toEqual({ text: 'a', boolean: false });
  expect(fields.optional.forNew()).toEqual({});
  expect(fields.changes({ text: 'a' }, { text: null })).toEqual({ text: null });
  expect(everyType.optional).toBe(everyType);
});

test('values of archived fields count, and are kept', () => {
  const stored = { archived: 'x'.repeat(MAX_VALUE_BYTES - 100) };
  expect(everyType.merged(stored, { text: 'a' })).toEqual({ ...stored, text: 'a' });
  const problems = problemsOf(() => everyType.merged(stored, { text: 'a'.repeat(100) }));
  expect(problems).toMatchObject([{ field: 'custom' }]);
  expect(everyType.acceptable(stored, { text: 'a'.repeat(100) })).toEqual({});
  expect(everyType.acceptable(stored, { integer: 'a' })).toEqual({});
  expect(everyType.acceptable(stored, { integer: 1 })).toEqual({ integer: 1 });
});

test('problems are limited, and so are the keys that they name', () => {
  const given = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${'😀'.repeat(50)}${n}`, 1]));
  const problems = problemsOf(() => everyType.forNew(given));
  expect(problems).toHaveLength(50);
  expect(problems[0]!.field).toBe(`custom.${'😀'.repeat(20)}…`);
});

test('a wrong option is answered with the first ones, as far as the message stays short', () => {
  const offering = (...offered: string[]) =>
    checkValue(
      field('select', { options: offered.map((value) => ({ value, label: 'x', archived: false })) }),
      'x',
    );
  const numbered = (count: number, length = 0) =>
    Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, '宴'));
  const long = numbered(200, 60);
  expect(offering(...long)).toEqual({
    problem: `must be one of ${long.slice(0, 3).join(', ')}, and 197 more`,
  });
  expect(offering('y'.repeat(300))).toEqual({ problem: `must be one of ${'y'.repeat(300)}` });
  expect(offering(...numbered(21))).toEqual({
    problem: `must be one of ${numbered(20).join(', ')}, and 1 more`,
  });
});
