import type { FieldProblem } from '../../../kernel/errors';
import type { DateFormat, Delimiter, Encoding } from './import-options';

/** A column of the file. */
export interface FileColumn {
  /** Unlike that of every other column. */
  name: string;
  header: string;
  /** The field that it is mapped to, or that its header suggests; null for none. */
  field: string | null;
  /** Up to three of its first cells. */
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
const MAX_GROUPS = 100;
const MAX_LINES = 5;
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

/** Long texts of a file are cut where they are shown: a report is read whole, and has a size of its own. */
export function shown<Value>(value: Value): Value {
  if (typeof value === 'string') {
    return (value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH).toWellFormed()}…` : value) as Value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shown) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, shown(part as unknown)]),
  ) as Value;
}
