import type { FieldProblem } from '../../../kernel/errors';
import type { DateFormat, Delimiter, Encoding } from './import-options';

/** A column of the file. */
export interface FileColumn {
  /** Unlike that of every other column. */
  name: string;
  header: string;
  /** The field that it is mapped to, or that its header suggests; null for none. */
  field: string | null;
  /** Up to three of its first cells, none once there are enough of other columns. */
  samples: string[];
}

/** What the client has to say before the import can start. */
export interface Question {
  /** The option that answers it. */
  field: 'dateFormat';
  column: string;
  options: DateFormat[];
  samples: string[];
  message: string;
}

/** The same problem of several rows. */
export interface ProblemGroup extends FieldProblem {
  count: number;
  /** Up to five lines of the file that have it. */
  lines: number[];
}

export interface PreviewRow {
  line: number;
  willBe: 'created' | 'updated' | 'failed';
  /** As its row gives it. */
  lead: Record<string, unknown>;
  problems: FieldProblem[];
}

/** What a check found out about a file. */
export interface CheckReport {
  encoding: Encoding;
  delimiter: Delimiter;
  columns: FileColumn[];
  /** The format of each column of dates that leaves it open, by the column's name. */
  dateFormats: Record<string, DateFormat>;
  rows: number;
  willCreate: number;
  willUpdate: number;
  willFail: number;
  preview: PreviewRow[];
  problems: ProblemGroup[];
  ambiguous: Question[];
}

export const PREVIEW_ROWS = 20;
/** Of the JSON of all rows of a preview, after the first: a report is read whole, and a hundred reports at a time. */
const PREVIEW_CHARACTERS = 64 * 1024;
const MAX_GROUPS = 100;
const MAX_LINES = 5;
const [MAX_ROW_PROBLEMS, MESSAGE_LENGTH] = [10, 500];
/** Of a text and of a list: what a person can compare with the file. */
const [SHOWN_LENGTH, SHOWN_ITEMS] = [100, 20];

/** Counts the problems of rows, and remembers the first of each kind. */
export class ProblemGroups {
  private readonly groups = new Map<string, ProblemGroup>();

  add(line: number, problems: readonly FieldProblem[]): void {
    for (const { field, message } of problems) {
      const key = `${field}\n${message}`;
      const group = this.groups.get(key);
      if (group) {
        group.count++;
        if (group.lines.length < MAX_LINES) group.lines.push(line);
      } else if (this.groups.size < MAX_GROUPS) {
        this.groups.set(key, { field, message, count: 1, lines: [line] });
      }
    }
  }

  /** The most frequent first. */
  get list(): ProblemGroup[] {
    return [...this.groups.values()].sort((one, other) => other.count - one.count);
  }
}

/** What may stay for good: it tells nothing of the people in the file. */
export function withoutCells(report: CheckReport): CheckReport {
  const columns = report.columns.map((column) => ({ ...column, samples: [] }));
  return { ...report, columns, preview: [], ambiguous: [] };
}

/** Of an object whose keys are texts of a file. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** The problems of a row as they are stored: a million rows may have each problem there is. */
export function firstProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.slice(0, MAX_ROW_PROBLEMS).map(({ field, message }) => ({
    field,
    message: cut(message, MESSAGE_LENGTH),
  }));
}

/** The rows of a preview that are not too long together. */
export function shortPreview([first, ...more]: readonly PreviewRow[]): PreviewRow[] {
  let room = PREVIEW_CHARACTERS;
  const end = more.findIndex((row) => (room -= JSON.stringify(row).length) < 0);
  return first ? [first, ...(end === -1 ? more : more.slice(0, end))] : [];
}

/** Long texts of a file are cut where they are shown: a report is read whole, and has a size of its own. */
export function shown<Value>(value: Value): Value {
  if (typeof value === 'string') {
    return cut(value, SHOWN_LENGTH) as Value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shown) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, shown(part as unknown)]),
  ) as Value;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
