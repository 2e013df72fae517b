import type { DateFormat } from './import-options';
import { shown } from './report';

const TIME_OF_DAY =
  '(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[AaPp][Mm])?(?:Z|[+-]\\d{2}:?\\d{2})?)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME_OF_DAY}$`);
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME_OF_DAY}$`);
const SERIAL = /^\d{5}(?:[.,]\d+)?$/;

/** A day as the formats that a text fits would read it. */
export type Readings = Readonly<Partial<Record<DateFormat, string>>>;

/**
 * How a text can be read as a day. A year at the front is followed by the month everywhere; dots are written between day and
 * month, in this order, wherever they are written at all. The time of day is left out.
 */
export function readingsOf(text: string): Readings {
  const first = YEAR_FIRST.exec(text);
  if (first) return present({ 'YYYY-MM-DD': dayOf(first[1]!, first[3]!, first[4]!) });
  const last = YEAR_LAST.exec(text);
  if (!last) return {};
  const [, one, separator, other, digits] = last;
  const year = digits!.length === 2 ? `20${digits}` : digits!;
  return present({
    'DD/MM/YYYY': dayOf(year, other!, one!),
    ...(separator !== '.' && { 'MM/DD/YYYY': dayOf(year, one!, other!) }),
  });
}

/**
 * The day that a text stands for.
 *
 * @param format of the column; undefined as long as it isn't known, which is while the file is checked
 */
export function readDay(text: string, format: DateFormat | undefined): string | undefined {
  const readings = readingsOf(text);
  if (readings['YYYY-MM-DD']) return readings['YYYY-MM-DD'];
  return format ? readings[format] : Object.values(readings)[0];
}

export function dateProblem(text: string, format: DateFormat | undefined): string {
  if (SERIAL.test(text)) {
    return 'is a day as a spreadsheet counts it: format the column as a date, and export it again';
  }
  return format
    ? `must be a day that exists, written ${format}`
    : 'must be a day that exists, such as 2027-06-12';
}

/** Follows the cells of one column, to find out which format they are written in. */
export class DateColumn {
  private readonly fits = new Map<DateFormat, number>();
  private undecided = 0;
  readonly samples: string[] = [];

  add(text: string): void {
    const readings = readingsOf(text);
    // A year at the front leaves nothing open.
    if (readings['YYYY-MM-DD'] || Object.keys(readings).length === 0) return;
    this.undecided++;
    for (const format of Object.keys(readings) as DateFormat[]) {
      this.fits.set(format, (this.fits.get(format) ?? 0) + 1);
    }
    // The decimals of a second have no end.
    if (this.samples.length < 3 && !this.samples.includes(shown(text))) this.samples.push(shown(text));
  }

  /** The one format that every cell fits; several if the client has to say which, and none if nothing is open. */
  get formats(): DateFormat[] {
    if (this.undecided === 0) return [];
    const fitAll = [...this.fits].filter(([, count]) => count === this.undecided).map(([format]) => format);
    return (fitAll.length > 0 ? fitAll : [...this.fits.keys()]).sort();
  }
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(y, m - 1, d));
  const exists = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
  return exists ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : undefined;
}

function present(readings: Record<string, string | undefined>): Readings {
  return Object.fromEntries(Object.entries(readings).filter(([, day]) => day !== undefined));
}
