import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { UnreadableFile } from '../application/csv-reader';
import type { Encoding } from '../domain/import-options';

const BYTE_ORDER_MARKS: readonly [Encoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** The first bytes of files that people take for CSV. */
const OTHER_FORMATS: readonly [Buffer, string][] = [
  [Buffer.from([0x1f, 0x8b]), 'the file is compressed by gzip: unpack it first'],
  [Buffer.from('PK\x03\x04'), 'the file is an Excel workbook or a zip archive: save it as CSV first'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'the file is an Excel workbook: save it as CSV first'],
  [Buffer.from('%PDF'), 'the file is a PDF: export the data as CSV'],
];
const LONGEST_START = 4;
const NEWLINE = /\r\n|\r|\n/g;

/** The text of a file, as UTF-8 and a chunk at a time. Its encoding is known once the first chunk has been read. */
export class DecodedFile {
  private constructor(
    readonly encoding: Encoding,
    readonly text: AsyncIterable<Buffer>,
  ) {}

  /** @throws UnreadableFile for a file of another format. The text throws it at the first byte that isn't in the encoding */
  static async open(chunks: AsyncIterable<Buffer>, named: Encoding | null): Promise<DecodedFile> {
    const source = chunks[Symbol.asyncIterator]();
    const first = await beginningOf(source);
    const other = OTHER_FORMATS.find(([start]) => startsWith(first, start));
    if (other) throw new UnreadableFile(1, other[1]);
    const [marked, mark] = BYTE_ORDER_MARKS.find(([, bytes]) => startsWith(first, bytes)) ?? [];
    const encoding = marked ?? named ?? 'utf-8';
    const bytes = withFirst(first.subarray(mark?.length ?? 0), source);
    return new DecodedFile(encoding, encoding === 'utf-8' ? checked(bytes) : decoded(bytes, encoding));
  }
}

/** A file may arrive byte by byte. */
async function beginningOf(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < LONGEST_START) {
    const next = (await source.next()) as IteratorResult<Buffer, undefined>;
    if (next.done) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

/** UTF-8 passes through. */
async function* checked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.length - unfinishedBytes(bytes);
    rest = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    line += check(whole, line);
    if (whole.length > 0) yield whole;
  }
  check(rest, line);
}

/** Returns how many lines end in the bytes. */
function check(bytes: Buffer, line: number): number {
  if (isUtf8(bytes)) {
    let count = 0;
    for (const byte of bytes) if (byte === 0x0a) count++;
    return count;
  }
  const before = bytes.toString('utf8').split('\ufffd', 1)[0]!;
  throw new UnreadableFile(
    line + (before.match(NEWLINE)?.length ?? 0),
    'the file isn’t UTF-8: name its encoding, such as windows-1252, or save it as UTF-8',
  );
}

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  const decode = (chunk?: Buffer) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      line += text.match(NEWLINE)?.length ?? 0;
      return Buffer.from(text);
    } catch {
      throw new UnreadableFile(line, `the file isn’t ${encoding}, at this line or soon after it`);
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

/** The bytes at the end that begin a character without ending it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
