import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Request } from 'express';
import fc from 'fast-check';
import { BadRequest } from '../../kernel/errors';
import type { Configuration } from '../config/configuration';
import type { Metrics } from '../health/metrics';
import { BodyBudget, MAX_BODY_BYTES } from './body-budget';
import { decodeQuery, expectJson, hasBody, parseForm, parseJsonObject } from './request-input';

const JSON_TYPE = { 'content-type': 'application/json' };
const budget = new BodyBudget(
  { bodyMemory: 64 * 1024 * 1024 } as Configuration,
  { counter: () => ({ inc: () => undefined }), gauge: () => ({}) } as unknown as Metrics,
);

function requestOf(body: (string | Buffer)[], headers: IncomingHttpHeaders = JSON_TYPE): IncomingMessage {
  const stream = Readable.from(body.map((chunk) => Buffer.from(chunk as string)));
  return Object.assign(stream, { headers, res: new EventEmitter() }) as unknown as IncomingMessage;
}
async function readJsonObject(request: IncomingMessage): Promise<object> {
  expectJson(request);
  const bytes = await budget.read(request as Request);
  (request as Request).res!.emit('prefinish');
  return parseJsonObject(bytes);
}
const read = (...body: (string | Buffer)[]) => readJsonObject(requestOf(body));

describe('decodeQuery', () => {
  test('gives back what was encoded, a repeated name as an array', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (given) => {
        const text = given.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const expected = new Map<string, string[]>();
        for (const [name, value] of given) expected.set(name, [...(expected.get(name) ?? []), value]);
        const query = decodeQuery(`/v1/leads?${text}`);
        expect(Object.keys(query).sort()).toEqual([...expected.keys()].sort());
        for (const [name, values] of expected) expect([query[name]].flat()).toEqual(values);
      }),
    );
  });

  test('agrees with the platform on what is well-formed', () => {
    const characters = fc.constantFrom('a', 'b', '=', '&', '+', '%20', '%2B', '%C3%A9', '%00', '?', '/', ';');
    fc.assert(
      fc.property(
        fc.array(characters).map((parts) => parts.join('')),
        (text) => {
          const entries = Object.entries(decodeQuery(`/x?${text}`)).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, one]),
          );
          const byPlatform = [...new URLSearchParams(`?${text}`)];
          expect(entries.sort()).toEqual(byPlatform.sort());
        },
      ),
    );
  });

  test.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?&&', {}],
    ['/x?a', { a: '' }],
    ['/x?a=', { a: '' }],
    ['/x?=a', { '': 'a' }],
    ['/x?a=b=c', { a: 'b=c' }],
    ['/x?a=b?c', { a: 'b?c' }],
    ['/x?a=1+2%2B3', { a: '1 2+3' }],
    ['/x?a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['/x?a=&a=', { a: ['', ''] }],
    ['/x?a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
  ])('reads %s', (url, expected) => {
    expect({ ...decodeQuery(url) }).toEqual(expected);
  });

  test('takes names that every object knows for plain names', () => {
    const query = decodeQuery('/x?__proto__=1&constructor=2&toString=3');
    expect(Object.entries(query)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ]);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });

  test.each(['%', '%f', '%zz', '%FF', '%C3', '%C3%28', '%ED%A0%80', 'a=%', '%=1', 'a=1&b=%E0%A4%A'])(
    'refuses %s',
    (query) => {
      expect(() => decodeQuery(`/x?${query}`)).toThrow(BadRequest);
    },
  );
});

test.each([
  ['query', 100, (pairs: string) => decodeQuery(`/v1/leads?${pairs}`)],
  ['body', 800, (pairs: string) => parseForm(Buffer.from(pairs))],
] as const)('a %s has at most %d parameters, repeated ones included', (where, most, parse) => {
  const pairs = (count: number) => Array(count).fill('a=1').join('&');
  expect(parse(pairs(most)).a).toHaveLength(most);
  expect(() => parse(pairs(most + 1))).toThrow(`The ${where} has more than ${most} parameters.`);
});

describe('hasBody', () => {
  test.each([
    [{}, false],
    [{ 'content-length': '0' }, false],
    [{ 'content-length': '00' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
    [{ 'content-type': 'application/json' }, false],
  ])('of a request with %j is %s', (headers, expected) => {
    expect(hasBody({ headers } as IncomingMessage)).toBe(expected);
  });
});

describe('readJsonObject', () => {
  test('gives back any object that was sent, in whatever pieces it came', async () => {
    const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(objects, fc.array(fc.nat()), async (object, cuts) => {
        const bytes = Buffer.from(JSON.stringify(object));
        const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(await read(...pieces.filter(({ length }) => length))).toEqual(JSON.parse(bytes.toString()));
      }),
    );
  });

  test('drops one byte order mark, and only one', async () => {
    expect(await read('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
    await expect(read('\ufeff\ufeff{}')).rejects.toThrow('not valid JSON');
  });

  test('of two members with one name takes the last', async () => {
    expect(await read('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test('keeps __proto__ as a member, which changes no prototype', async () => {
    const object = await read('{"__proto__":{"x":1}}');
    expect(Object.keys(object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  test('refuses any bytes that are no JSON object, and never throws anything else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (bytes) => {
        const error = await read(Buffer.from(bytes)).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(BadRequest);
      }),
    );
  });

  test('takes the limit to the byte, refuses one more, and doesn’t keep the rest', async () => {
    const body = '{}'.padEnd(MAX_BODY_BYTES, ' ');
    expect(await read(body)).toEqual({});
    await expect(read(body, ' ')).rejects.toThrow('larger than 256 KiB');
    const announced = { ...JSON_TYPE, 'content-length': String(MAX_BODY_BYTES + 1) };
    await expect(readJsonObject(requestOf(['{}'], announced))).rejects.toThrow('larger than 256 KiB');
  });

  test('refuses a body that broke off', async () => {
    const request = requestOf([]);
    const broken = Object.assign(new Readable({ read() {} }), {
      headers: request.headers,
      res: new EventEmitter(),
    });
    const reading = readJsonObject(broken as unknown as IncomingMessage);
    broken.push('{"a":');
    broken.destroy(new Error('ECONNRESET'));
    await expect(reading).rejects.toThrow('ended before it was complete');
  });

  test('says the type is wrong before it reads anything', async () => {
    const unread = { headers: { 'content-type': 'text/plain' } } as IncomingMessage;
    await expect(readJsonObject(unread)).rejects.toThrow('Content-Type: application/json');
  });
});
