import type { Path } from '../../../platform/pages/components/link';
import type { Funnel, OutcomesReport, ResponsesReport } from '../application/report-queries';
import type { Bucket } from '../domain/buckets';

/** What the page of figures shows. */
export interface Figures {
  readonly responses: ResponsesReport;
  /** By source. */
  readonly outcomes: OutcomesReport;
  readonly funnel: Funnel;
  /** The names of stages and lost reasons, by key and id. */
  readonly names: ReadonlyMap<string, string>;
  readonly locale: string;
  /** The address of the leads that a number counts, within the period or the given days. */
  readonly listOf: (conditions: Record<string, string>, days?: Bucket) => Path;
}

export type Value = string | number | null;

interface Column {
  readonly title: string;
  readonly kind: 'text' | 'count' | 'share' | 'seconds';
}

interface Row {
  readonly label: string;
  /** The label in a file, where that differs. */
  readonly key?: string;
  /** After the label, in the order of the columns. The first is that of the bar. */
  readonly values: readonly Value[];
  /** The leads that the bar counts. */
  readonly to?: Path;
}

/** The numbers of a chart: a table beside it, and a file. */
export interface FigureTable {
  readonly title: string;
  /** The first one is that of the labels. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export const TABLES = {
  leads: leadsOverTime,
  responses: firstResponses,
  funnel: stages,
  sources,
  'lost-reasons': lostReasons,
} satisfies Record<string, (figures: Figures) => FigureTable>;
export type TableName = keyof typeof TABLES;

const text = (title: string): Column => ({ title, kind: 'text' });
const count = (title: string): Column => ({ title, kind: 'count' });
const share = (title: string): Column => ({ title, kind: 'share' });

function leadsOverTime({ responses, listOf, locale }: Figures): FigureTable {
  return {
    title: 'Leads over time',
    columns: [text('Period'), count('Leads'), count('Answered'), count('Waiting')],
    rows: responses.rows.map(({ from, to, leads, answered, waiting }) => ({
      label: formatDays({ from, to }, locale),
      key: from === to ? from : `${from}/${to}`,
      values: [leads, answered, waiting],
      to: listOf({}, { from, to }),
    })),
  };
}

function firstResponses({ responses: { total, targetMinutes }, listOf }: Figures): FigureTable {
  const { answered } = total;
  const within: [label: string, minutes: number, leads: number][] = [
    ['5 minutes', 5, total.within5Minutes],
    ['15 minutes', 15, total.within15Minutes],
    ['1 hour', 60, total.within1Hour],
    ['4 hours', 240, total.within4Hours],
    ['24 hours', 1440, total.within24Hours],
  ];
  if (targetMinutes !== null) within.unshift(['the target', targetMinutes, total.withinTarget!]);
  return {
    title: 'First responses',
    columns: [text('Answered'), count('Leads'), share('Of all answered')],
    rows: within.map(([label, minutes, leads]) => ({
      label: `Within ${label}`,
      values: [leads, answered === 0 ? null : leads / answered],
      to: listOf({ within: String(minutes) }),
    })),
  };
}

function stages({ funnel, names, listOf }: Figures): FigureTable {
  return {
    title: 'Funnel',
    columns: [
      ...[text('Stage'), count('Entered'), count('Advanced'), count('Back'), count('Lost')],
      ...[count('Still there'), count('Skipped'), share('To next')],
      { title: 'Median time', kind: 'seconds' },
    ],
    rows: funnel.stages.map((figures) => {
      const { stage, entered, advanced, wentBack, lost, still, skipped, toNext, medianSeconds } = figures;
      return {
        label: names.get(stage) ?? stage,
        key: stage,
        values: [entered, advanced, wentBack, lost, still, skipped, toNext, medianSeconds],
        to: listOf({ stage }),
      };
    }),
  };
}

function sources({ outcomes, listOf }: Figures): FigureTable {
  return {
    title: 'Sources',
    columns: [text('Source'), count('Leads'), count('Won'), count('Lost'), share('Win rate')],
    rows: outcomes.rows.map(({ key, isOther, created, won, lost, winRate }) => ({
      label: isOther ? 'All others' : (key ?? 'No source'),
      key: isOther ? 'All others' : (key ?? ''),
      values: [created, won, lost, winRate],
      ...(!isOther && { to: listOf(key === null ? { noSource: 'yes' } : { source: key }) }),
    })),
  };
}

function lostReasons({ outcomes: { lostReasons }, names, listOf }: Figures): FigureTable {
  return {
    title: 'Lost reasons',
    columns: [text('Reason'), count('Lost leads')],
    rows: lostReasons.map(({ lostReasonId, leads }) => ({
      label: lostReasonId === null ? 'No reason' : (names.get(lostReasonId) ?? lostReasonId),
      values: [leads],
      to: listOf({ lostReason: lostReasonId ?? 'none' }),
    })),
  };
}

function formatDays({ from, to }: Bucket, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(new Date(from), new Date(to));
}

/** For people, in the notation of the locale. */
export function formatValue(value: Value, kind: Column['kind'], locale: string): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'share') return new Intl.NumberFormat(locale, { style: 'percent' }).format(value);
  return kind === 'seconds' ? formatSeconds(value, locale) : new Intl.NumberFormat(locale).format(value);
}

const DAY = 86_400;

export function formatSeconds(seconds: number, locale: string): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  if (seconds < 60) return `${number.format(seconds)} s`;
  if (seconds < 3600) return `${number.format(seconds / 60)} min`;
  return seconds < 2 * DAY ? `${number.format(seconds / 3600)} h` : `${number.format(seconds / DAY)} days`;
}
