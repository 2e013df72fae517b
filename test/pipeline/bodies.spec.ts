import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
let lead: { id: string };
let countBefore: number;

const leadCount = async () => (await client.get('/v1/leads?archived=all&limit=1')).body.pagination.total;
const send = (body: string | Buffer, headers: Record<string, string | string[] | undefined> = {}) =>
  client.post('/v1/leads', body, { headers });

beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  lead = (await client.post('/v1/leads', { email: 'first@example.com' })).body;
});
afterAll(() => gala.stop());

/** Nothing refused may leave a trace, nor keep the next request from working. */
describe('a refused body creates and changes nothing:', () => {
  beforeEach(async () => {
    countBefore = await leadCount();
  });
  afterEach(async () => {
    expect(await leadCount()).toBe(countBefore);
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  });

  test.each([
    '{"email":"ana@example.com",}',
    '{"email": ',
    '{email:"ana@example.com"}',
    "{'email':'ana@example.com'}",
    '{"email":"ana@example.com"}}',
    '{"email":"ana@example.com"}{"email":"ana@example.com"}',
    '{"email":"ana@example.com" /* note */}',
    '{"email":"ana@example.com"}\0',
    '{"email":"a\nb@example.com"}',
    '{"email":"\\x61"}',
    '{"email":"\\ud83"}',
    '{"guests":01}',
    '{"guests":+1}',
    '{"guests":.5}',
    '{"guests":0x10}',
    '{"guests":NaN}',
    '{"guests":Infinity}',
    'undefined',
    '{',
    '   ',
    '\u00a0{}',
    'email=ana@example.com',
    '<email>ana@example.com</email>',
  ])('no JSON is 400 on every route that takes a body: %j', async (body) => {
    expectRefusal(await send(body), 400);
    expectRefusal(await client.patch(`/v1/leads/${lead.id}`, body), 400);
    expectRefusal(await client.post('/v1/api-keys', body), 400);
  });

  test.each(['[{"email":"ana@example.com"}]', '[]', 'null', '"x"', '""', '5', '0', 'true', 'false', ''])(
    'JSON that is no object is 400: %j',
    async (body) => {
      expectRefusal(await send(body), 400);
      expectRefusal(await client.patch(`/v1/leads/${lead.id}`, body), 400);
      expectRefusal(await client.post('/v1/api-keys', body), 400);
    },
  );

  test('no body at all is 400 where one is needed', async () => {
    expectRefusal(await client.request('POST', '/v1/leads'), 400);
    expectRefusal(await client.request('PATCH', `/v1/leads/${lead.id}`), 400);
    const typed = { headers: { 'Content-Type': 'application/json' } };
    expectRefusal(await client.request('POST', '/v1/leads', undefined, typed), 400);
  });

  test.each([
    undefined,
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/merge-patch+json',
    'application/json, text/plain',
    'application',
    '*/*',
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset="latin1"',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-7',
  ])('another content type or charset is 400: %s', async (type) => {
    expectRefusal(await send('{"email":"ana@example.com"}', { 'Content-Type': type }), 400);
  });

  test.each(['foo', 'gzip', 'br', 'deflate', 'identity, gzip', 'zstd'])(
    'a compressed body, or one that only says so, is 400: %s',
    async (encoding) => {
      expectRefusal(await send('{"email":"ana@example.com"}', { 'Content-Encoding': encoding }), 400);
    },
  );

  test.each([
    ['a bad continuation', [0xc3, 0x28]],
    ['a lone continuation', [0x80]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['a sequence cut short', [0xf0, 0x9f, 0x98]],
  ])('text that is not UTF-8 is 400: %s', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"email":"ana@example.com","name":"'),
      Buffer.from(bytes),
      Buffer.from('"}'),
    ]);
    expectRefusal(await send(body), 400);
  });

  test('UTF-16 is 400, with and without its byte order mark', async () => {
    const text = Buffer.from('{"email":"ana@example.com"}', 'utf16le');
    expectRefusal(await send(text), 400);
    expectRefusal(await send(Buffer.concat([Buffer.from([0xff, 0xfe]), text])), 400);
  });

  test.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)],
  ])('tens of thousands of nested %s are 422', async (_, value) => {
    const known = await send(`{"email":"ana@example.com","tags":${value}}`);
    expectRefusal(known, 422);
    expect(known.body.error.field).toMatch(/^tags/);
    expectRefusal(await send(`{"email":"ana@example.com","nonsense":${value}}`), 422);
    expectRefusal(await send('['.repeat(100_000)), 400);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', ''])(
    'a field named like a part of every object is 422: %j',
    async (name) => {
      const value = '{"stage":"lost","isAdmin":true,"prototype":{"x":1}}';
      expectRefusal(await send(`{"email":"ana@example.com",${JSON.stringify(name)}:${value}}`), 422);
      expectRefusal(await client.patch(`/v1/leads/${lead.id}`, `{${JSON.stringify(name)}:${value}}`), 422);
      expectRefusal(await send(`{"email":"ana@example.com","tags":[{${JSON.stringify(name)}:1}]}`), 422);
      expectRefusal(await send(`{"email":{${JSON.stringify(name)}:{"x":1}}}`), 422);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    },
  );

  test.each([
    '1e400',
    '-1e400',
    '1e-400',
    '1.5',
    '0',
    '-1',
    '-0',
    '100001',
    '2147483648',
    '9007199254740993',
    '9'.repeat(400),
  ])('a number that is no count of guests is 422: %s', async (number) => {
    const answer = await send(`{"email":"ana@example.com","guests":${number}}`);
    expectRefusal(answer, 422);
    expect(answer.body.error.field).toBe('guests');
  });

  test.each([
    ['name', '123'],
    ['name', 'true'],
    ['name', '{}'],
    ['name', '["x"]'],
    ['email', '["ana@example.com"]'],
    ['email', '{"toString":"ana@example.com"}'],
    ['email', 'null'],
    ['guests', '"12"'],
    ['guests', 'true'],
    ['guests', '[12]'],
    ['guests', '""'],
    ['eventDate', '20270612'],
    ['eventDate', '{"year":2027}'],
    ['phone', '34600123456'],
    ['tags', '"vip"'],
    ['tags', '{"0":"vip","length":1}'],
    ['tags', '[["vip"]]'],
    ['tags', '[1]'],
    ['tags', '[null]'],
    ['stage', '["lost"]'],
  ])('types are not coerced: %s %s is 422', async (field, value) => {
    const email = field === 'email' ? '' : '"email":"ana@example.com",';
    const answer = await send(`{${email}"${field}":${value}}`);
    expectRefusal(answer, 422);
    // What is structurally wrong inside is named by its path.
    expect(answer.body.error.field).toMatch(new RegExp(`^${field}`));
  });

  test('a field with a dot in its name is named as it is, and casts no doubt on another', async () => {
    const answer = await send('{"email":"ana@example.com","email.x":"\\u0000"}');
    expectRefusal(answer, 422);
    expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['email.x']);
  });

  test('many thousand unknown fields are 422 in good time', async () => {
    const fields = Array.from({ length: 15_000 }, (_, index) => `"k${index}":1`).join(',');
    expectRefusal(await send(`{"email":"ana@example.com",${fields}}`), 422, { field: 'k999' });
  });

  test('unknown fields with odd names are 422 and named', async () => {
    for (const name of ['\0', '\ud800', '𝒏', 'a b', 'x'.repeat(1000), '[0]', '$where']) {
      expectRefusal(await send(JSON.stringify({ email: 'ana@example.com', [name]: 1 })), 422);
    }
  });
});

describe('a body is taken', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; profile=x ; charset=utf8',
  ])('with the content type %s', async (type) => {
    expect((await send('{"email":"ana@example.com"}', { 'Content-Type': type })).status).toBe(201);
  });

  test('with an encoding of “identity”', async () => {
    const answer = await send('{"email":"ana@example.com"}', { 'Content-Encoding': 'identity' });
    expect(answer.status).toBe(201);
  });

  test('with a UTF-8 byte order mark, which is dropped', async () => {
    const answer = await send('\ufeff{"email":"ana@example.com","name":"\ufeffAna"}');
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 201, name: '\ufeffAna' });
  });

  test('with white space around and escapes inside', async () => {
    const answer = await send('\r\n\t {"\\u0065mail":"ana@example.com","name":"\\ud83d\\ude00 \\u2028"} \n');
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 201, name: '😀 \u2028' });
  });

  test.each(['1.0', '1e3', '1E+2', '100000', '1e0'])('with the integer %s', async (number) => {
    const answer = await send(`{"email":"ana@example.com","guests":${number}}`);
    expect({ status: answer.status, guests: answer.body.guests }).toEqual({
      status: 201,
      guests: Number(number),
    });
  });

  test('with a name twice: the last one counts, for the check as for the value', async () => {
    const good = await send('{"email":"zzz","email":"last@example.com"}');
    expect({ status: good.status, email: good.body.email }).toEqual({
      status: 201,
      email: 'last@example.com',
    });
    expectRefusal(await send('{"email":"first@example.com","email":"zzz"}'), 422, { field: 'email' });
  });

  test('or none is, where it is optional', async () => {
    const key = (await client.post('/v1/api-keys', { name: 'Spare' })).body;
    expect((await client.request('POST', `/v1/api-keys/${key.id}/rotate`)).status).toBe(201);
    expectRefusal(await client.post(`/v1/api-keys/${key.id}/rotate`, '{'), 400);
    expect((await client.request('POST', `/v1/leads/${lead.id}/restore`)).status).toBe(200);
    expect((await client.post(`/v1/leads/${lead.id}/restore`, {})).status).toBe(200);
    expectRefusal(await client.post(`/v1/leads/${lead.id}/restore`, { stage: 'lost' }), 422, {
      field: 'stage',
    });
  });
});
