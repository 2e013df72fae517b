const FULL_NAME = /^(?:UTC|[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/;
const ZONES = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));
export const DAY_MS = 86_400_000;

/** Whether `text` is the full name of a zone in the tz database, such as Europe/Madrid. Abbreviations are ambiguous. */
export function isTimeZone(text: string): boolean {
  const listed = ZONES.get(text.toLowerCase());
  if (listed) return listed === text;
  if (!FULL_NAME.test(text)) return false;
  try {
    // Node lists one name of each zone, and old versions list outdated ones.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The local day in a zone, YYYY-MM-DD. */
export function dayIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetMs(zone, at.getTime())).toISOString().slice(0, 10);
}

/** The local time of day in a zone, HH:MM. */
export function clockTimeIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetMs(zone, at.getTime())).toISOString().slice(11, 16);
}

/**
 * The first instant of a day in a zone: nearly always midnight. When clocks skip midnight, it is the first instant after
 * it; when midnight occurs twice, the first; and a day that a zone skipped starts with the next day.
 */
export function startOfDay(zone: string, day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const earliest = midnight - offsetMs(zone, midnight - DAY_MS);
  const latest = midnight - offsetMs(zone, midnight + DAY_MS);
  for (const candidate of [Math.min(earliest, latest), Math.max(earliest, latest)]) {
    if (candidate + offsetMs(zone, candidate) === midnight) return new Date(candidate);
  }
  return firstInstantNotBefore(zone, midnight, midnight - DAY_MS, midnight + DAY_MS);
}

/** After the year 9999, as ISO 8601 writes it: +010000-01-01. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().split('T')[0]!;
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The instant at which clocks in a zone skip a local time. */
function firstInstantNotBefore(zone: string, local: number, before: number, after: number): Date {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + offsetMs(zone, middle) < local) low = middle;
    else high = middle;
  }
  return new Date(high);
}

/** The offset of local time from UTC: whole seconds, as in the tz database. */
function offsetMs(zone: string, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return local - Math.floor(instant / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached, since creating a format takes far longer than using it, and there are only a few hundred zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}
