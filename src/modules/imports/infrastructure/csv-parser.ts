import { Injectable } from '@nestjs/common';
import { CsvError, type Options, parse, type Parser } from 'csv-parse';
import { slices } from '../../../kernel/slices';
import { type CsvFile, CsvReader, type CsvRecord, UnreadableFile } from '../application/csv-reader';
import { type Delimiter, DELIMITERS, type Encoding } from '../domain/import-options';
import { DecodedFile } from './decoded-file';

/** As large as a body of the API. An unclosed quotation mark ends here too, instead of in the memory of the process. */
const MAX_RECORD_CHARACTERS = 256 * 1024;
/** With delimiters and quotation marks, which csv-parse doesn't count: a row of empty cells would have no end. */
const MAX_RECORD_BYTES = 4 * MAX_RECORD_CHARACTERS;
/** With empty ones, which take time although they are left out. Spreadsheets save a million of them. */
const MAX_RECORDS = 2_000_000;
/** Parsed without a pause, in which other requests run: each byte may be a row. */
const PORTION_BYTES = 2048;
const MAX_COLUMNS = 500;
/** Every report of a file contains the headers. */
const MAX_HEADER_CHARACTERS = 64 * 1024;
/** What the delimiter is found by. */
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_RECORDS = 50;
const NEWLINE = /\r\n|\r|\n/g;
const TOO_LONG = `the row is longer than ${MAX_RECORD_CHARACTERS / 1024} KiB: a quotation mark may not be closed, or a cell holds too much`;

const OPTIONS: Options = {
  // Also mixed ones, in one file.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // As in spreadsheets, a quotation mark within a text is part of it.
  relax_quotes: true,
  skip_empty_lines: false,
  max_record_size: MAX_RECORD_CHARACTERS,
};

/** Reads CSV files with csv-parse (ADR 55). */
@Injectable()
export class CsvParser extends CsvReader {
  async open(
    chunks: AsyncIterable<Buffer>,
    named: { encoding: Encoding | null; delimiter: Delimiter | null },
  ): Promise<CsvFile> {
    const { encoding, text } = await DecodedFile.open(chunks, named.encoding);
    const source = text[Symbol.asyncIterator]();
    const sample = await headOf(source);
    const delimiter = named.delimiter ?? (await delimiterOf(sample));
    const records = recordsOf(sample, source, delimiter);
    const first = await records.next();
    const [header, ...rest] = first.done ? [] : first.value;
    if (!header) throw new UnreadableFile(1, 'the file is empty');
    if (header.cells.length > MAX_COLUMNS) {
      throw new UnreadableFile(header.line, `the file has more than ${MAX_COLUMNS} columns`);
    }
    if (header.cells.join('').length > MAX_HEADER_CHARACTERS) {
      const reason = `the names of the columns are longer than ${MAX_HEADER_CHARACTERS / 1024} KiB`;
      throw new UnreadableFile(header.line, reason);
    }
    return { encoding, delimiter, header, records: joined(rest, records) };
  }
}

async function headOf(source: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < SAMPLE_BYTES;) {
    const next = (await source.next()) as IteratorResult<Buffer, undefined>;
    if (next.done) break;
    parts.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(parts);
}

/** The delimiter with which most of the first records have as many cells as the header, and the header several. */
async function delimiterOf(sample: Buffer): Promise<Delimiter> {
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const records = await sampleRecords(sample.subarray(0, SAMPLE_BYTES), delimiter);
    const columns = records[0]?.length ?? 0;
    if (columns < 2) continue;
    const alike = records.filter(({ length }) => length === columns).length / records.length;
    const score = alike + Math.min(columns, MAX_COLUMNS) / (10 * MAX_COLUMNS);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

async function sampleRecords(sample: Buffer, delimiter: Delimiter): Promise<string[][]> {
  const records: string[][] = [];
  const parser = parserOf(delimiter, (cells) => records.push(cells));
  // The last record of a sample may be cut, and so can't be read.
  await writePortions(parser, sample).catch(() => undefined);
  parser.destroy();
  return records.filter((cells) => cells.length > 1 || cells[0] !== '').slice(0, SAMPLE_RECORDS);
}

async function* recordsOf(
  first: Buffer,
  source: AsyncIterator<Buffer>,
  delimiter: Delimiter,
): AsyncGenerator<CsvRecord[]> {
  let records: CsvRecord[] = [];
  let [line, count, unended] = [1, 0, 0];
  const parser = parserOf(delimiter, (cells) => {
    if (cells.some((cell) => cell !== '')) records.push({ line, cells });
    line += 1 + newlinesIn(cells);
    count++;
    unended = 0;
  });
  const limit = (bytes: number) => {
    unended += bytes;
    if (unended > MAX_RECORD_BYTES) throw new UnreadableFile(line, TOO_LONG);
    if (count > MAX_RECORDS) {
      throw new UnreadableFile(line, `the file has more than ${MAX_RECORDS} lines: leave out empty ones`);
    }
  };
  const take = () => {
    const taken = records;
    records = [];
    return taken;
  };
  try {
    for (let next: IteratorResult<Buffer> = { value: first }; !next.done; next = await source.next()) {
      await writePortions(parser, next.value, limit);
      if (records.length > 0) yield take();
    }
    await end(parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(line, reasonOf(error));
  } finally {
    parser.destroy();
  }
  if (records.length > 0) yield take();
}

function parserOf(delimiter: Delimiter, heard: (cells: string[]) => void): Parser {
  const parser = parse({
    ...OPTIONS,
    delimiter,
    on_record: (cells: string[]) => {
      // For each record of another length than the first, csv-parse makes an error with a copy of it, which nobody reads.
      (parser.info as { records: number }).records = 0;
      heard(cells);
      return null;
    },
  });
  // Errors are given to the callbacks of writes.
  return parser.on('error', () => undefined).resume();
}

/** @param written is told the size of each portion */
async function writePortions(
  parser: Parser,
  bytes: Buffer,
  written: (bytes: number) => void = () => undefined,
): Promise<void> {
  const others = slices();
  for (let from = 0; from < bytes.length; from += PORTION_BYTES) {
    const portion = bytes.subarray(from, from + PORTION_BYTES);
    await write(parser, portion);
    written(portion.length);
    await others();
  }
}

function write(parser: Parser, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) =>
    parser.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject).once('end', resolve);
    parser.end();
  });
}

function reasonOf({ code, message }: CsvError): string {
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return TOO_LONG;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quotation mark is opened in this row and never closed';
    default:
      return `the row can’t be read: ${message}`;
  }
}

function newlinesIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(NEWLINE)!.length;
  }
  return count;
}

async function* joined(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>): AsyncGenerator<CsvRecord[]> {
  if (first.length > 0) yield first;
  yield* rest;
}
