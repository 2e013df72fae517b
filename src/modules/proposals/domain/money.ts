import {
  add,
  dinero,
  type Dinero,
  type DineroCurrency,
  halfAwayFromZero,
  multiply,
  toDecimal,
  toSnapshot,
  transformScale,
} from 'dinero.js/bigint';
import * as listed from 'dinero.js/bigint/currencies';

type Money = Dinero<bigint>;
type Currency = DineroCurrency<bigint>;

/**
 * By ISO 4217. The library counts the iraimbilanja and the khoum, which are fifths of the ariary and the ouguiya; the
 * standard counts hundredths of both.
 */
const CURRENCIES = new Map<string, Currency>(
  Object.values(listed).map((currency) => [
    currency.code,
    currency.base === 5n ? { code: currency.code, base: 10n, exponent: 2n } : currency,
  ]),
);

/** ISO 4217 codes of today's currencies. */
export const CURRENCY_CODES: readonly string[] = [...CURRENCIES.keys()].sort();

export function isCurrencyCode(text: string): boolean {
  return CURRENCIES.has(text);
}

/** How many decimals the currency's major unit has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorDigits(code: string): number {
  return Number(CURRENCIES.get(code)!.exponent);
}

/** A line of a sum. Amounts are integers in minor units; `taxRate` is in percent. */
interface Charge {
  /** At most three decimals. */
  readonly quantity: number;
  readonly unitAmount: number;
  /** At most three decimals. */
  readonly taxRate: number;
}

interface Totals {
  readonly lines: readonly { amount: number; taxAmount: number }[];
  readonly subtotal: number;
  readonly taxTotal: number;
  readonly total: number;
}

/**
 * Amount and tax of each line, each rounded half away from zero to the minor unit, and their sums; undefined if one of them
 * is too large for a JSON number to be exact.
 */
export function totalsOf(charges: readonly Charge[], code: string): Totals | undefined {
  const currency = CURRENCIES.get(code)!;
  let subtotal = money(0n, currency);
  let taxTotal = subtotal;
  const lines = charges.map(({ quantity, unitAmount, taxRate }) => {
    const amount = rounded(multiply(money(BigInt(unitAmount), currency), thousandths(quantity)));
    const tax = rounded(multiply(amount, percent(taxRate)));
    subtotal = add(subtotal, amount);
    taxTotal = add(taxTotal, tax);
    return { amount: toNumber(amount), taxAmount: toNumber(tax) };
  });
  const sums = [subtotal, taxTotal, add(subtotal, taxTotal)].map(toNumber) as [number, number, number];
  const all = [...sums, ...lines.flatMap(({ amount, taxAmount }) => [amount, taxAmount])];
  if (!all.every(Number.isSafeInteger)) return undefined;
  return { lines, subtotal: sums[0], taxTotal: sums[1], total: sums[2] };
}

/** A percentage of an amount, rounded half away from zero. */
export function shareOf(amount: number, rate: number, code: string): number {
  return toNumber(rounded(multiply(money(BigInt(amount), CURRENCIES.get(code)!), percent(rate))));
}

/** The amount in major units, exactly: `1234.50`. */
export function decimalOf(amount: number | bigint, code: string): `${number}` {
  return toDecimal(money(BigInt(amount), CURRENCIES.get(code)!)) as `${number}`;
}

function money(amount: bigint, currency: Currency): Money {
  return dinero({ amount, currency });
}

function rounded(amount: Money): Money {
  return transformScale(amount, toSnapshot(amount).currency.exponent, halfAwayFromZero);
}

function toNumber(amount: Money): number {
  return Number(toSnapshot(amount).amount);
}

function percent(rate: number) {
  const { amount, scale } = thousandths(rate);
  return { amount, scale: scale + 2n };
}

/** The exact decimal notation of the number, without the rounding of binary fractions. */
function thousandths(value: number): { amount: bigint; scale: bigint } {
  const [whole, fraction = ''] = String(value).split('.') as [string, string?];
  return { amount: BigInt(whole + fraction.padEnd(3, '0')), scale: 3n };
}
