import { csvRecord, guardCell, joinList } from '../../kernel/csv-cells';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How a file of a format begins, continues and ends. */
export interface ExportText {
  readonly mediaType: string;
  readonly head: string;
  readonly row: (item: object) => string;
  readonly end: (rows: number) => string;
}

/** Without it, Excel takes UTF-8 for the encoding of the computer. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * @param columns the names of fields, and of fields of objects in them, such as `custom.room`
 * @param isWhole whether these are all fields: JSON Lines then have each object as the API returns it
 */
export function exportText(format: ExportFormat, columns: readonly string[], isWhole: boolean): ExportText {
  return format === 'csv' ? csv(columns) : jsonLines(columns, isWhole);
}

/** CSV (RFC 4180) in UTF-8. */
function csv(columns: readonly string[]): ExportText {
  const readers = columns.map(readerOf);
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: BYTE_ORDER_MARK + csvRecord(columns),
    row: (item) => csvRecord(readers.map((valueIn) => guardCell(cellOf(valueIn(item))))),
    end: () => '',
  };
}

/** One object a line. The last line tells that the file is whole: `{"end":true,"rows":2}`. */
function jsonLines(columns: readonly string[], isWhole: boolean): ExportText {
  const readers = columns.map((name) => [name, readerOf(name)] as const);
  const only = (item: object) =>
    Object.fromEntries(readers.map(([name, valueIn]) => [name, valueIn(item) ?? null]));
  return {
    mediaType: 'application/x-ndjson',
    head: '',
    row: (item) => `${JSON.stringify(isWhole ? item : only(item))}\n`,
    end: (rows) => `${JSON.stringify({ end: true, rows })}\n`,
  };
}

/** The parts of a file. The last one, which is returned, says that it is whole. */
export async function* exportParts(
  { head, row, end }: ExportText,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string, string> {
  let rows = 0;
  let before = head;
  for await (const items of pages) {
    rows += items.length;
    yield before + items.map(row).join('');
    before = '';
  }
  return end(rows);
}

/** Reads a field of an item, or with a name such as `custom.room` a field of the object in it. */
function readerOf(name: string): (item: object) => unknown {
  const [field, key] = name.split('.') as [string, string?];
  const valueIn = (item: object) => (item as Record<string, unknown>)[field];
  return key === undefined ? valueIn : (item) => (valueIn(item) as Record<string, unknown>)[key];
}

/** Values of several parts, such as line items, are JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return joinList(value);
  return JSON.stringify(value);
}
