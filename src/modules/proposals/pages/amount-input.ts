import { decimalOf, minorDigits } from '../domain/money';

const DECIMAL = /^([-−]?)(\d{1,13})(?:[.,](\d+))?$/;

/**
 * An amount typed in major units, in minor units. The decimals follow a point or a comma. Undefined for anything else, such as
 * thousands in groups, whose comma could be either.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = minorDigits(currency);
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text.replace(/\s/gu, '')) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return sign && amount ? -amount : amount;
}

/** The amount as a field begins with it: `-1250.50`. */
export function amountText(amount: number, currency: string): string {
  return decimalOf(amount, currency);
}

/** A number with a point or a comma; undefined for anything else. */
export function parseDecimal(text: string): number | undefined {
  const [, sign, whole, fraction] = DECIMAL.exec(text.replace(/\s/gu, '')) ?? [];
  if (whole === undefined || sign) return undefined;
  return Number(fraction === undefined ? whole : `${whole}.${fraction}`);
}
