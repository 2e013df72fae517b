import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { BadRequest } from '../../kernel/errors';
import type { Query } from './request-input';

/** Of everything but the file. */
export const FORM_BYTES = 64 * 1024;
const LIMITS = { fields: 20, fieldNameSize: 100, fieldSize: 4096, files: 1, headerPairs: 20 };
/** For everything before the file, which anybody may send. */
const FIELDS_MS = 60_000;
/** The file may begin in the chunk that ends the fields. */
const MAX_BYTES_BEFORE = 2 * FORM_BYTES;

interface FormFile {
  readonly stream: Readable;
  readonly name?: string;
}

const files = new WeakMap<Request, FormFile>();

/** The file of a form whose fields have been read. */
export function fileOf(request: Request): Readable | undefined {
  return files.get(request)?.stream;
}

/** The name that the browser gives the file of such a form. */
export function fileNameOf(request: Request): string | undefined {
  return files.get(request)?.name;
}

/**
 * Reads the fields of a form with a file, `multipart/form-data` (RFC 7578), up to the file, which has to come last. The file
 * waits in the connection until `FileBodies` reads it.
 *
 * @throws BadRequest for anything else
 */
export function beginFileForm(request: Request): Promise<Query> {
  return new Promise((resolve, reject) => {
    const fields = Object.create(null) as Query;
    let parser: busboy.Busboy;
    let received = 0;
    const timer = setTimeout(() => refuse(), FIELDS_MS).unref();
    const stopCounting = () => {
      clearTimeout(timer);
      request.off('data', count);
    };
    const refuse = () => {
      stopCounting();
      request.unpipe();
      reject(new BadRequest('Send the form as multipart/form-data, with the file last.'));
    };
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > MAX_BYTES_BEFORE) refuse();
    };
    try {
      parser = busboy({ headers: request.headers, limits: LIMITS, defParamCharset: 'utf8' });
    } catch {
      refuse();
      return;
    }
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('file', (_, stream, { filename }: { filename?: string }) => {
      stopCounting();
      files.set(request, { stream, name: filename });
      // Told to whoever reads the file; nobody may do so.
      stream.on('error', () => undefined);
      resolve(fields);
    });
    parser.on('error', refuse).on('close', refuse);
    // What has arrived whole may still wait to be read.
    request.on('close', () => request.complete || parser.destroy());
    request.on('data', count).pipe(parser);
  });
}
