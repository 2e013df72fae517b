import { useLocale } from '../locale';

interface TimeProps {
  at: Date | null;
  /** An IANA time zone that exists, such as that of the workspace. */
  zone: string;
  /** What no time means, for those who don’t see the dash. */
  none?: string;
  /** To the second, where things follow each other closely. */
  seconds?: boolean;
}

/** An instant in a time zone, as the workspace's locale writes it: 28 Nov 2026, 14:05. */
export function Time({ at, zone, none = 'never', seconds = false }: TimeProps) {
  const locale = useLocale();
  if (!at) return <Nothing means={none} />;
  return <time datetime={at.toISOString()}>{formatIn(locale, zone, seconds).format(at)}</time>;
}

function Nothing({ means }: { means: string }) {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">{means}</span>
    </>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes far longer than using it, and installations use few zones and locales. */
function formatIn(locale: string, timeZone: string, seconds: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${seconds}`;
  const known = formats.get(key);
  if (known) return known;
  const timeStyle = seconds ? 'medium' : 'short';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone });
  formats.set(key, format);
  return format;
}
