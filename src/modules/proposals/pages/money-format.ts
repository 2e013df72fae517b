import { decimalOf, minorDigits } from '../domain/money';

/** An amount in the notation of the locale, such as 1.234,50 €, always with the decimals of ISO 4217. */
export function formatMoney(amount: number | bigint, currency: string, locale: string): string {
  return moneyFormatOf(currency, locale).format(decimalOf(amount, currency));
}

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Creating a format takes far longer than using it. */
function moneyFormatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${currency} ${locale}`;
  const known = moneyFormats.get(key);
  if (known) return known;
  const digits = minorDigits(currency);
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...places });
  moneyFormats.set(key, format);
  return format;
}

export function formatDay(day: string, locale: string, dateStyle: 'long' | 'medium' = 'long'): string {
  return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

export function formatInstant(instant: Date, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(instant);
}
