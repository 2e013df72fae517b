import { useLocale } from '../locale';
import { usePage } from '../page-context';

interface TimeProps {
  at: Date | null;
  /** A valid IANA time zone, such as the workspace's. */
  zone: string;
  /** Shown when there is no time. */
  none?: string;
  /** Adds the seconds, for lists of close instants. */
  seconds?: boolean;
}

/** An instant in a time zone, as the workspace's locale writes it: 28 Nov, 14:05. The year is told unless it is this year. */
export function Time({ at, zone, none = 'Never', seconds = false }: TimeProps) {
  const locale = useLocale();
  const { now } = usePage();
  if (!at) return <>{none}</>;
  const hasYear = yearIn(zone, at) !== yearIn(zone, now);
  return <time datetime={at.toISOString()}>{formatOf(locale, zone, hasYear, seconds).format(at)}</time>;
}

/** A day without a time, such as that of an event: 12 Jun. The year is told unless it is this year. */
export function Day({ on, none = '' }: { /** YYYY-MM-DD */ on: string | null; none?: string }) {
  const locale = useLocale();
  const { now } = usePage();
  if (!on) return <>{none}</>;
  const hasYear = on.slice(0, 4) !== String(now.getUTCFullYear());
  return <time datetime={on}>{dayFormatOf(locale, hasYear).format(new Date(on))}</time>;
}

function yearIn(zone: string, at: Date): string {
  return known(
    `year ${zone}`,
    () => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zone }),
  ).format(at);
}

function formatOf(locale: string, timeZone: string, hasYear: boolean, seconds: boolean) {
  const second = seconds ? '2-digit' : undefined;
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second, timeZone };
  return known(
    `${locale} ${timeZone} ${hasYear} ${seconds}`,
    () => new Intl.DateTimeFormat(locale, { ...dayParts(hasYear), ...time }),
  );
}

function dayFormatOf(locale: string, hasYear: boolean) {
  return known(
    `day ${locale} ${hasYear}`,
    () => new Intl.DateTimeFormat(locale, { ...dayParts(hasYear), timeZone: 'UTC' }),
  );
}

function dayParts(hasYear: boolean): Intl.DateTimeFormatOptions {
  return { day: 'numeric', month: 'short', year: hasYear ? 'numeric' : undefined };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes far longer than using it, and installations use few zones and locales. */
function known(name: string, create: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const format = formats.get(name) ?? create();
  formats.set(name, format);
  return format;
}
