import fc from 'fast-check';
import { CURRENCY_CODES } from '../domain/money';
import { amountText, parseAmount, parseDecimal } from './amount-input';

test.each([
  ['1250.50', 'EUR', 125_050],
  ['1250,5', 'EUR', 125_050],
  [' 1 250 ', 'EUR', 125_000],
  ['-500', 'EUR', -50_000],
  ['−500', 'EUR', -50_000],
  ['-0', 'EUR', 0],
  ['1250', 'JPY', 1250],
  ['1.250', 'KWD', 1250],
])('%s in %s are %d', (text, currency, amount) => {
  expect(parseAmount(text, currency)).toBe(amount);
});

test.each([
  ...[
    '',
    'x',
    '1,250.50',
    '1.250,50',
    '1.250',
    '.5',
    '1.',
    '--1',
    '1e3',
    'Infinity',
    '0x10',
    '12345678901234',
  ],
])('%s is no amount in EUR', (text) => {
  expect(parseAmount(text, 'EUR')).toBeUndefined();
});

test('JPY have no decimals', () => expect(parseAmount('1.5', 'JPY')).toBeUndefined());

test('every amount is read as it is written, with a point or a comma', () => {
  const amounts = fc.integer({ min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(amounts, fc.constantFrom(...CURRENCY_CODES), (amount, currency) => {
      const text = amountText(amount, currency);
      expect(parseAmount(text, currency)).toBe(amount);
      expect(parseAmount(text.replace('.', ','), currency)).toBe(amount);
    }),
  );
});

test('any text is an amount or none', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const amount = parseAmount(text, 'EUR');
      expect(amount === undefined || Number.isSafeInteger(amount)).toBe(true);
    }),
  );
});

test.each([
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['0', 0],
  ['-1', undefined],
  ['', undefined],
  ['1e3', undefined],
])('%s as a number', (text, number) => expect(parseDecimal(text)).toBe(number));
