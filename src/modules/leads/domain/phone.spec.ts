import fc from 'fast-check';
import { normalisePhone, PHONE_PATTERN, phoneProblem } from './phone';

const SEPARATORS = [
  ...' -.()',
  ...'\u00a0\u2007\u2009\u202f\u3000',
  ...'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d',
  ...'\u00b7\u2024\uff0e\uff08\uff09',
  ...'\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u00ad',
];
const TRUNK_PREFIX = /[(\uff08][^0-9(\uff08+x\n٣]*0[^0-9(\uff08+x\n٣]*[)\uff09]/;

describe('a phone number', () => {
  const texts = fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'+0123456789') },
      fc.constantFrom(...SEPARATORS),
      fc.constantFrom(...'x\n٣'),
    ),
    maxLength: 24,
  });

  test('comes out as a plus sign and 7 to 15 digits, or not at all', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const phone = normalisePhone(text);
        const bare = [...text].filter((character) => !SEPARATORS.includes(character)).join('');
        if (phone !== undefined) expect(phone).toBe(bare);
        if (phone !== undefined) expect(phone).toMatch(/^\+[1-9][0-9]{6,14}$/);
        else if (!TRUNK_PREFIX.test(text)) expect(bare).not.toMatch(/^\+[1-9][0-9]{6,14}$(?!\n)/);
      }),
      { numRuns: 2000 },
    );
  });

  test('is one by the pattern of the API reference exactly when it is one here, odd characters aside', () => {
    const pattern = new RegExp(PHONE_PATTERN, 'u');
    const numbers = fc
      .tuple(
        fc.constantFrom('+44', '+1', '+39'),
        fc.array(fc.oneof(fc.constantFrom(...'0123456789'), fc.constantFrom(...SEPARATORS)), {
          maxLength: 20,
        }),
      )
      .map(([front, rest]) => front + rest.join(''));
    fc.assert(
      fc.property(numbers, (text) => {
        expect(pattern.test(text)).toBe(normalisePhone(text) !== undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test('once normalised stays the same', () => {
    for (const text of ['+44 (20) 7946-0958', '+1.415.555.2671']) {
      const phone = normalisePhone(text)!;
      expect(normalisePhone(phone)).toBe(phone);
    }
  });

  test.each(SEPARATORS)('loses separators, and nothing else: %j', (separator) => {
    expect(normalisePhone(`${separator}+34${separator}600${separator}123456${separator}`)).toBe(
      '+34600123456',
    );
    expect(normalisePhone(`+34600123456${separator}\n`)).toBeUndefined();
    expect(normalisePhone('+34600123456\n')).toBeUndefined();
  });

  test.each([
    '+44 (0)7911 123456',
    '+44(0) 7911123456',
    '+49 ( 0 ) 30 123456',
    '+44\u00a0（0）\u00a07911 123456',
  ])(
    'with a 0 in parentheses is another number or the same, by the country, and so is refused: %s',
    (text) => {
      expect(normalisePhone(text)).toBeUndefined();
      expect(phoneProblem(text)).toContain('"(0)"');
    },
  );

  test('may have other digits in parentheses, noughts among them', () => {
    expect(normalisePhone('+39 (06) 1234 5678')).toBe('+390612345678');
    expect(normalisePhone('+1 (800) 555-0199')).toBe('+18005550199');
  });

  test('takes no longer the longer it is', () => {
    // A pattern that backtracks from each parenthesis would take minutes.
    expect(normalisePhone(`+34${'('.repeat(250_000)}`)).toBeUndefined();
  });
});
