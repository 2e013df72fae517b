import type { Failure } from '../domain/import-view';
import type { Delimiter, Encoding } from '../domain/import-options';

export interface CsvRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file whose header has been read. */
export interface CsvFile {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly header: CsvRecord;
  /**
   * The records after the header but for empty ones, some at a time. Iterate once.
   *
   * @throws UnreadableFile
   */
  readonly records: AsyncIterable<readonly CsvRecord[]>;
}

/** The file, or the rest of it, can't be read. */
export class UnreadableFile extends Error implements Failure {
  constructor(
    readonly line: number | null,
    message: string,
  ) {
    super(message);
  }
}

/** A port: reads CSV files of any size in the memory of a few records. */
export abstract class CsvReader {
  /**
   * @param named by the client; null for what the file itself shows
   * @throws UnreadableFile
   */
  abstract open(
    chunks: AsyncIterable<Buffer>,
    named: { encoding: Encoding | null; delimiter: Delimiter | null },
  ): Promise<CsvFile>;
}
