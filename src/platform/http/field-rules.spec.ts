import fc from 'fast-check';
import {
  all,
  date,
  email,
  instant,
  integer,
  listOf,
  object,
  objectList,
  oneOf,
  rule,
  text,
  textList,
  type ValueCheck,
} from './field-rules';
import { parameter } from './query-parameter';

const passes = (check: ValueCheck, value: unknown) => check(value) === undefined;
const notText = fc.anything().filter((value) => typeof value !== 'string');

test('no rule throws or is content with undefined, whatever it is given', () => {
  const rules = [
    text(5),
    email,
    integer(1, 9),
    oneOf(['a']),
    date,
    instant,
    textList(5, 3),
    object(() => Object),
    objectList(() => Object, 3),
    parameter(rule({}, () => undefined)),
  ];
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
      for (const rule of rules) expect(['string', 'undefined']).toContain(typeof rule(value));
    }),
  );
  for (const rule of rules) expect(rule(undefined)).toMatch(/^must /);
});

describe('text', () => {
  test('counts code points, and takes exactly the limit', () => {
    for (const character of ['x', 'é', '😀', '\u0301']) {
      expect(passes(text(10), character.repeat(10))).toBe(true);
      expect(text(10)(character.repeat(11))).toBe('must have at most 10 characters');
    }
  });

  test.each(['', ' ', '\t\n', '\u00a0', '\u3000', '\ufeff', '\u2028'])('refuses blank %j', (value) => {
    expect(text(10)(value)).toBe('must not be blank');
  });

  test('refuses what is no text', () => {
    fc.assert(fc.property(notText, (value) => expect(text(10)(value)).toBe('must be a string')));
  });
});

describe('email', () => {
  test.each([
    "o'brien@x.ie",
    'a+b@x.co',
    'a@b.photography',
    'user@xn--mnchen-3ya.de',
    'user@münchen.de',
    'First.Last@Example.COM',
    'x_y-z@sub.sub.example.org',
    '1@2.co',
    'a!#$%&*/=?^`{|}~@x.co',
    `${'a'.repeat(64)}@example.com`,
  ])('takes %s', (value) => {
    expect(passes(email, value)).toBe(true);
  });

  test.each([
    '',
    ' ',
    'a',
    'a@',
    '@x.co',
    'a@b',
    'a..b@x.co',
    '.a@x.co',
    'a.@x.co',
    '<a@b.co>',
    'Ana <a@b.co>',
    'a@b.co,b@c.co',
    'a@b.co;b@c.co',
    'a@b.co\n',
    ' a@b.co',
    'a@b.co ',
    'a b@x.co',
    'a@@x.co',
    'a@x..co',
    'a@-x.co',
    'a@x.co.',
    'mailto:a@b.co',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.co`,
  ])('refuses %j', (value) => {
    expect(passes(email, value)).toBe(false);
  });

  test('answers on hundreds of thousands of characters at once', () => {
    const startedAt = performance.now();
    for (const value of [
      'a@'.repeat(130_000),
      `${'a.'.repeat(130_000)}@x.co`,
      `a@${'x.'.repeat(130_000)}co`,
    ]) {
      expect(passes(email, value)).toBe(false);
    }
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});

describe('integer', () => {
  test('takes the integers of its range and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), (value) => {
        expect(passes(integer(1, 100_000), value)).toBe(
          Number.isInteger(value) && value >= 1 && value <= 100_000,
        );
      }),
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(typeof value !== 'number');
        expect(integer(1, 9)(value)).toBe('must be an integer from 1 to 9');
      }),
    );
  });
});

describe('oneOf', () => {
  test('takes the values alone, not what resembles them', () => {
    const stage = oneOf(['lost', 'new_enquiry']);
    expect(passes(stage, 'lost')).toBe(true);
    for (const value of ['Lost', 'lost ', '', 'toString', 0, null, ['lost'], new String('lost')]) {
      expect(stage(value)).toBe('must be one of lost, new_enquiry');
    }
  });
});

describe('textList', () => {
  test('checks each item, and says so', () => {
    expect(passes(textList(3, 100), [])).toBe(true);
    expect(passes(textList(3, 100), ['a', 'a', '😀😀😀'])).toBe(true);
    expect(textList(3, 100)(['a', 'four'])).toBe('each item must have at most 3 characters');
    expect(textList(3, 100)(['a', ' '])).toBe('each item must not be blank');
    expect(textList(3, 100)(['a', null])).toBe('each item must be a string');
    for (const value of ['abc', { length: 0 }, { 0: 'a', length: 1 }, null, new Set(['a'])]) {
      expect(textList(3, 100)(value)).toBe('must be an array of strings');
    }
  });

  test('refuses an array with holes', () => {
    expect(textList(3, 100)(new Array(2))).toBe('each item must be a string');
  });
});

describe('all', () => {
  test('lets the first rule that finds something speak, and asks no further', () => {
    const never = jest.fn();
    expect(all(text(3), () => 'second', never)('abc')).toBe('second');
    expect(all(text(3), never)(5)).toBe('must be a string');
    expect(never).not.toHaveBeenCalled();
    expect(passes(all(), 'x')).toBe(true);
  });
});

describe('parameter', () => {
  const goodOnly = parameter(rule({}, (value) => (value === 'good' ? undefined : 'must be good')));

  test.each([
    [['good', 'good'], 'must be given only once'],
    [[], 'must be given only once'],
    ['', 'must not be blank'],
    [' \t', 'must not be blank'],
    ['bad', 'must be good'],
    ['good', undefined],
  ])('says of %j: %s', (value, problem) => {
    expect(goodOnly(value)).toBe(problem);
  });
});

describe('the schema of a rule', () => {
  test('says what the check says', () => {
    expect(text(5).schema).toEqual({ type: 'string', minLength: 1, maxLength: 5, pattern: '\\S' });
    expect(integer(1, 9).schema).toEqual({ type: 'integer', minimum: 1, maximum: 9 });
    expect(oneOf(['a', 'b']).schema).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(listOf(integer(1, 9), 4).schema).toEqual({
      type: 'array',
      maxItems: 4,
      items: integer(1, 9).schema,
    });
    expect(parameter(date).schema).toEqual(date.schema);
  });

  test('of several checks together is that of all', () => {
    const together = all(
      textList(5, 3),
      rule({ minItems: 1 }, () => undefined),
      () => undefined,
    );
    expect(together.schema).toEqual({ ...textList(5, 3).schema, minItems: 1 });
  });
});
