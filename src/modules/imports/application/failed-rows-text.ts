import { csvRecord, guardCell, unguardCell } from '../../../kernel/csv-cells';
import type { FailedRows } from './import-queries';

/** Without it, Excel takes UTF-8 for the encoding of the computer. */
const BYTE_ORDER_MARK = '\ufeff';

/** The rows as CSV: the cells as they were, the line in the file, the problems, and cells for which there is no column. */
export async function* failedRowsText({ header, rows }: FailedRows): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord([...header, 'Line', 'Problem'].map(guardCell));
  for await (const batch of rows) {
    const records = batch.map(({ cells, line, problems }) => {
      const texts = header.map((_, index) => guardCell(unguardCell(cells[index] ?? '')));
      const reasons = problems.map(({ field, message }) => (field ? `${field}: ${message}` : message));
      const others = cells.slice(header.length);
      const kept = others.some(Boolean) ? others.map((cell) => guardCell(unguardCell(cell))) : [];
      return csvRecord([...texts, String(line), guardCell(reasons.join('; ')), ...kept]);
    });
    yield records.join('');
  }
}
