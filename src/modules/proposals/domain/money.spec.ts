import fc from 'fast-check';
import { CURRENCY_CODES, decimalOf, minorDigits, shareOf, totalsOf } from './money';

/** The decimals by ISO 4217 of the currencies that don't have two. */
const OTHER_DIGITS: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const currency = fc.constantFrom(...CURRENCY_CODES);
/** In thousandths, so that the expected values can be computed with integers. */
const quantity = fc.integer({ min: 0, max: 1_000_000_000 });
const rate = fc.integer({ min: 0, max: 100_000 });
const unitAmount = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
);

/** `numerator / denominator`, rounded half away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const half = (numerator < 0n ? -denominator : denominator) / 2n;
  return (numerator + half) / denominator;
}

test('every currency of the standard has the minor unit that the standard gives it', () => {
  for (const code of CURRENCY_CODES) {
    const [digits = '2'] = Object.entries(OTHER_DIGITS).find(([, codes]) => codes.includes(code)) ?? [];
    expect({ code, digits: minorDigits(code) }).toEqual({ code, digits: Number(digits) });
  }
  expect(CURRENCY_CODES.length).toBeGreaterThan(150);
});

test('amounts, taxes and sums are exact, in every currency, whatever the numbers', () => {
  fc.assert(
    fc.property(
      currency,
      fc.array(fc.record({ quantity, unitAmount, rate }), { maxLength: 20 }),
      (code, charges) => {
        const expected = charges.map((charge) => {
          const amount = rounded(BigInt(charge.unitAmount) * BigInt(charge.quantity), 1000n);
          return { amount, taxAmount: rounded(amount * BigInt(charge.rate), 100_000n) };
        });
        const subtotal = expected.reduce((sum, { amount }) => sum + amount, 0n);
        const taxTotal = expected.reduce((sum, { taxAmount }) => sum + taxAmount, 0n);
        const totals = totalsOf(
          charges.map(({ quantity, unitAmount, rate }) => ({
            quantity: quantity / 1000,
            unitAmount,
            taxRate: rate / 1000,
          })),
          code,
        );
        const all = [subtotal, taxTotal, subtotal + taxTotal, ...expected.flatMap(Object.values<bigint>)];
        if (!all.every((value) => value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n)) {
          expect(totals).toBeUndefined();
          return;
        }
        expect(totals!.lines.map(({ amount, taxAmount }) => [BigInt(amount), BigInt(taxAmount)])).toEqual(
          expected.map(({ amount, taxAmount }) => [amount, taxAmount]),
        );
        expect([totals!.subtotal, totals!.taxTotal, totals!.total].map(BigInt)).toEqual(all.slice(0, 3));
        expect(totals!.total).toBe(totals!.subtotal + totals!.taxTotal);
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([
  [1, 5, 10, 1], // 0.5 rounds up
  [1, -5, 10, -1], // away from zero
  [1, 4, 10, 0],
  [0.333, 100, 0, 0],
])('%d × %d at %d %% has the tax %d', (quantity, unitAmount, taxRate, tax) => {
  expect(totalsOf([{ quantity, unitAmount, taxRate }], 'EUR')!.taxTotal).toBe(tax);
});

test('nothing costs nothing, and no line nothing', () => {
  const none = { subtotal: 0, taxTotal: 0, total: 0 };
  expect(totalsOf([], 'KWD')).toEqual({ lines: [], ...none });
  expect(totalsOf([{ quantity: 0, unitAmount: 10 ** 12, taxRate: 100 }], 'JPY')).toMatchObject(none);
  expect(totalsOf([{ quantity: 10 ** 6, unitAmount: 0, taxRate: 100 }], 'CLF')).toMatchObject(none);
});

test('a share and the rest of it are the whole, and never more', () => {
  fc.assert(
    fc.property(currency, fc.maxSafeNat(), rate, (code, amount, thousandths) => {
      const share = shareOf(amount, thousandths / 1000, code);
      expect(BigInt(share)).toBe(rounded(BigInt(amount) * BigInt(thousandths), 100_000n));
      expect(share).toBeLessThanOrEqual(amount);
    }),
  );
});

test.each([
  [123456, 'EUR', '1234.56'],
  [123456, 'JPY', '123456'],
  [123456, 'KWD', '123.456'],
  [123456, 'CLF', '12.3456'],
  [123456, 'MGA', '1234.56'],
  [-5, 'EUR', '-0.05'],
  [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91'],
])('%d of %s is %s', (amount, code, expected) => {
  expect(decimalOf(amount, code)).toBe(expected);
});
