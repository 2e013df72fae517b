import { useLocale } from '../locale';

interface TimeProps {
  at: Date | null;
  /** A valid IANA time zone, such as the workspace's. */
  zone: string;
  /** Shown when there is no time. */
  none?: string;
  /** Adds the seconds, for lists of close instants. */
  seconds?: boolean;
}

/** An instant in a time zone, as the workspace's locale writes it: 28 Nov 2026, 14:05. */
export function Time({ at, zone, none = 'Never', seconds = false }: TimeProps) {
  const locale = useLocale();
  if (!at) return <>{none}</>;
  return <time datetime={at.toISOString()}>{formatIn(locale, zone, seconds).format(at)}</time>;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes far longer than using it, and installations use few zones and locales. */
function formatIn(locale: string, timeZone: string, seconds: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${seconds}`;
  const known = formats.get(key);
  if (known) return known;
  const timeStyle = seconds ? 'medium' : 'short';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone });
  formats.set(key, format);
  return format;
}
