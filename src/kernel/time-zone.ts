const FULL_NAME = /^(?:UTC|[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/;
const ZONES = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));
export const DAY_MS = 86_400_000;

/** Whether `text` is a zone of the tz database by its full name, such as Europe/Madrid; abbreviations are ambiguous. */
export function isTimeZone(text: string): boolean {
  const listed = ZONES.get(text.toLowerCase());
  if (listed) return listed === text;
  if (!FULL_NAME.test(text)) return false;
  try {
    // Of the names of one zone only one is listed, and on older versions of Node not always today's.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The day, YYYY-MM-DD, that it is in a zone at that instant. */
export function dayIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetMs(zone, at.getTime())).toISOString().slice(0, 10);
}

/** The time of day, HH:MM, that clocks in a zone show at that instant. */
export function clockTimeIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetMs(zone, at.getTime())).toISOString().slice(11, 16);
}

/**
 * The first instant of a day in a zone. That is midnight nearly always; where clocks leap over midnight it is what they
 * show next, where they show it twice the first of the two, and a day that a zone left out begins with the next one.
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

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Where the clocks of a zone leap over a local time: when they do. */
function firstInstantNotBefore(zone: string, local: number, before: number, after: number): Date {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + offsetMs(zone, middle) < local) low = middle;
    else high = middle;
  }
  return new Date(high);
}

/** What has to be added to an instant for the local time, in whole seconds as the tz database has it. */
function offsetMs(zone: string, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return local - Math.floor(instant / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes far longer than using it, and there are only some hundred zones. */
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
