import fc from 'fast-check';
import { type CsvRecord, UnreadableFile } from '../application/csv-reader';
import { DELIMITERS } from '../domain/import-options';
import { CsvParser } from './csv-parser';

const parser = new CsvParser();
const AUTO = { encoding: null, delimiter: null };

/** A file in pieces of these sizes, over and over. */
// eslint-disable-next-line @typescript-eslint/require-await -- a file arrives bit by bit
async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function read(
  bytes: Buffer,
  sizes: readonly number[],
  named = AUTO as Parameters<CsvParser['open']>[1],
) {
  const { header, records, ...found } = await parser.open(pieces(bytes, sizes), named);
  const rows: CsvRecord[] = [];
  for await (const some of records) rows.push(...some);
  return { ...found, header, rows };
}

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ',', ';', '\t', '|', '"', '\n', '\r', ' ', "'"),
  maxLength: 6,
});
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
  );
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('any cells come back as they were written, in the line where their row begins, however the file arrives', () =>
  fc.assert(
    fc.asyncProperty(
      table,
      sizes,
      fc.constantFrom(...DELIMITERS),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('utf-8', 'utf-16le'),
      async (cells, chunks, delimiter, newline, encoding) => {
        let line = 1;
        const written = cells.map((row) => {
          const record = { line, cells: row };
          line += 1 + row.flatMap((each) => each.match(/\r\n|\r|\n/g) ?? []).length;
          return record;
        });
        const text = cells.map((row) => row.map(quoted).join(delimiter) + newline).join('');
        const bytes = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(`\ufeff${text}`, 'utf16le');
        const [first, ...rest] = written.filter(({ cells: row }) => row.some((each) => each !== ''));
        if (!first) return;
        const found = await read(bytes, chunks, { encoding: null, delimiter });
        expect(found).toEqual({ encoding, delimiter, header: first, rows: rest });
      },
    ),
  ));

test('any bytes are read, or refused with a reason', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), sizes, async (bytes, chunks) => {
      await read(Buffer.from(bytes), chunks).catch((error: unknown) => {
        if (!(error instanceof UnreadableFile)) throw error;
      });
    }),
  ));

test.each([
  ['Name;Email\nAna, Eva and Bo;a@example.com\nCy;c@example.com\n', ';'],
  ['Name\tEmail\nAna; Eva\ta@example.com\n', '\t'],
  ['Name|Email\nAna\tEva|a@example.com\n', '|'],
  ['Email\na@example.com\n', ','],
])('the likeliest delimiter of %j', async (text, delimiter) => {
  expect(await read(Buffer.from(text), [1000])).toMatchObject({ delimiter });
});

describe('a file that would take too much', () => {
  const KIB = 1024;
  const failure = (text: string) =>
    read(Buffer.from(text), [256 * KIB]).then(
      () => undefined,
      (error: unknown) => {
        const { line, message } = error as UnreadableFile;
        return { line, message };
      },
    );

  test.each([
    ['a row of empty cells', `Name,Email\nAna,ana@example.com\n${','.repeat(2048 * KIB)}`, 3],
    ['a header of empty cells', `Name${','.repeat(2048 * KIB)}`, 1],
    ['a row of empty cells in quotes', `Name,Email\n${'"",'.repeat(700 * KIB)}`, 2],
  ])('is refused: %s', async (_, text, line) => {
    expect(await failure(text)).toEqual({ line, message: expect.stringContaining('longer than 256 KiB') });
  });

  test('is refused: more than 2,000,000 lines, empty ones among them', async () => {
    const message = expect.stringContaining('more than 2000000 lines');
    expect(await failure(`Name,Email\n${'\n'.repeat(2_100_000)}`)).toEqual({
      line: expect.any(Number),
      message,
    });
  });

  test('leaves room for other work within a chunk of many rows', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await read(Buffer.from(`a,b\n${'\n'.repeat(120 * KIB)}`), [512 * KIB]);
    clearImmediate(next);
    // One before the first chunk is enough for a parser that takes it whole.
    expect(turns).toBeGreaterThan(2);
  });
});
