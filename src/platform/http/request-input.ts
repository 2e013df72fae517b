import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BadRequest, ValidationFailed } from '../../kernel/errors';
import { MAX_DEPTH, MAX_NAME_LENGTH, MAX_VALUES } from './input-problems';
import { type Excess, excessOfValues } from './json-values';

/** Far more than any route takes; each costs time to refuse. */
const MAX_PARAMETERS = 100;
/** A form of a proposal with a hundred lines has some seven hundred. */
const MAX_FORM_PARAMETERS = 800;
const MAX_FIELDS = 1000;

/** Parameters by name; a repeated one is an array, which validation refuses. */
export type Query = Record<string, string | string[]>;

/** Decodes a query strictly: what is no valid percent-encoded UTF-8 is refused instead of guessed at. */
export function decodeQuery(url: string): Query {
  const start = url.indexOf('?');
  return decodePairs(start === -1 ? '' : url.slice(start + 1), 'query');
}

function decodePairs(text: string, where: 'query' | 'body'): Query {
  const pairs = text.split('&').filter(Boolean);
  const most = where === 'query' ? MAX_PARAMETERS : MAX_FORM_PARAMETERS;
  if (pairs.length > most) throw new BadRequest(`The ${where} has more than ${most} parameters.`);
  const decode = (component: string): string => {
    try {
      return decodeURIComponent(component.replaceAll('+', ' '));
    } catch {
      throw new BadRequest(`The ${where} is not valid percent-encoded UTF-8.`);
    }
  };
  const decoded = Object.create(null) as Query;
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const former = decoded[name];
    if (Array.isArray(former)) former.push(value);
    else decoded[name] = former === undefined ? value : [former, value];
  }
  return decoded;
}

/** Whether the request announces a body, by RFC 9112 section 6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** How often a header was sent: of several Node shows one, and another server on the way may go by another. */
export function countHeader({ rawHeaders }: IncomingMessage, lowerCaseName: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === lowerCaseName) count++;
  }
  return count;
}

/** @throws BadRequest unless the body is announced as JSON */
export function expectJson(request: IncomingMessage): void {
  checkHeaders(request, 'application/json');
}

/** @throws BadRequest unless the body is announced as one of the types. Its charset may be any: the file says what it is */
export function expectType({ headers }: IncomingMessage, wanted: readonly string[]): string {
  const type = (headers['content-type'] ?? '').toLowerCase().split(';')[0]!.trim();
  if (!wanted.includes(type)) {
    throw new BadRequest(`Send the file as the body, with the header Content-Type: ${wanted.join(' or ')}.`);
  }
  refuseCompressed(headers);
  return type;
}

/** Parses a JSON object; of two members with one name the last counts (RFC 8259 section 4). */
export function parseJsonObject(bytes: Buffer): object {
  if (!isUtf8(bytes)) throw new BadRequest('The body is not valid UTF-8.');
  const excess = excessOfValues(bytes, MAX_VALUES);
  if (excess) throw tooManyValues(excess);
  let value: unknown;
  try {
    const text = withoutByteOrderMark(bytes).toString();
    value = JSON.parse(text);
    if (NEGATIVE_NUMBER.test(text)) withoutNegativeZeros(value);
  } catch {
    throw new BadRequest('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRequest('The body must be a JSON object.');
  }
  const extra = Object.keys(value)[MAX_FIELDS];
  if (extra !== undefined) {
    throw new ValidationFailed({
      field: extra.slice(0, MAX_NAME_LENGTH).toWellFormed(),
      message: `is one field too many: at most ${MAX_FIELDS} are looked at`,
    });
  }
  return value;
}

function tooManyValues({ field }: Excess): Error {
  const name = field && nameOf(field);
  if (name === undefined) return new BadRequest(`The body holds more than ${MAX_VALUES} values.`);
  return new ValidationFailed({
    field: name.slice(0, MAX_NAME_LENGTH).toWellFormed() || '""',
    message: `holds too much: a body may have at most ${MAX_VALUES} values in all`,
  });
}

function nameOf(json: Buffer): string | undefined {
  try {
    return JSON.parse(json.toString()) as string;
  } catch {
    return undefined;
  }
}

/** Or what looks like one within a text. */
const NEGATIVE_NUMBER = /[:,[]\s*-/;

const FORM_TYPE = 'application/x-www-form-urlencoded';

export function isForm({ headers }: IncomingMessage): boolean {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase() === FORM_TYPE;
}

/** @throws BadRequest unless the body is announced as a form */
export function expectForm(request: IncomingMessage): void {
  checkHeaders(request, FORM_TYPE);
}

/** Parses what a browser's form sends; by the URL Standard its bytes are ASCII, everything else percent-encoded. */
export function parseForm(bytes: Buffer): Query {
  return decodePairs(bytes.toString('latin1'), 'body');
}

function checkHeaders({ headers }: IncomingMessage, wanted: string): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== wanted) {
    const what = wanted === 'application/json' ? 'JSON' : 'a form';
    throw new BadRequest(`Send the body as ${what}, with the header Content-Type: ${wanted}.`);
  }
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=').map((part) => part.trim());
    if (name === 'charset' && !['utf-8', 'utf8'].includes(value.replaceAll('"', ''))) {
      throw new BadRequest('The only charset accepted is utf-8.');
    }
  }
  refuseCompressed(headers);
}

function refuseCompressed(headers: IncomingMessage['headers']): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new BadRequest('Compressed bodies are not accepted: leave Content-Encoding out.');
  }
}

/**
 * JSON can write -0, which is read back as 0 from wherever it is stored, and so would be a change each time it is sent.
 * What is nested deeper than any request may be stays as it is, to be refused for that.
 */
function withoutNegativeZeros(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (field === 0) fields[name] = 0;
    else withoutNegativeZeros(field, depth + 1);
  }
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
