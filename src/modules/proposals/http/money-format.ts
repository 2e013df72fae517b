import { decimalOf, minorDigits } from '../domain/money';

/** As people write it: 1.234,50 €. The standard's decimals, also where a country leaves them out in daily life. */
export function formatMoney(amount: number | bigint, currency: string, locale: string): string {
  const digits = minorDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalOf(amount, currency));
}

export function formatDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

export function formatInstant(instant: Date, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(instant);
}
