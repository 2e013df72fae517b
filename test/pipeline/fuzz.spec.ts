import fc from 'fast-check';
import { expectCommonHeaders, expectRateHeaders, expectRefusal } from '../support/expect-refusal';
import type { Answer, Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

const RUNS = 200;
const ONE_MINUTE = 60_000;

let gala: TestGala;
let client: Client;
let leadPath: string;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  leadPath = `/v1/leads/${(await client.post('/v1/leads', { email: 'ana@example.com' })).body.id}`;
});
afterAll(() => gala.stop());
afterEach(async () => {
  expect((await client.get('/v1/me')).status).toBe(200);
  const failures = gala.logged.filter((line) => line.includes('"request failed"'));
  expect(failures).toEqual([]);
});

/** A failure prints the seed and the smallest input; `FUZZ_SEED=<seed>` repeats it. */
const seed = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : undefined;
const check = (property: fc.IAsyncProperty<unknown>) => fc.assert(property, { numRuns: RUNS, seed });

/** Whatever was sent: one of the expected answers with all that belongs to it, and never a 500. */
function expectSound(answer: Answer, refusals: number[], isHead = false): void {
  expect([200, 201, ...refusals]).toContain(answer.status);
  if (answer.status < 300) {
    expectCommonHeaders(answer);
    expectRateHeaders(answer);
  } else if (!isHead) {
    expectRefusal(answer, answer.status);
  }
}

const unpaired = fc.constantFrom('\ud800', '\udfff', 'a\udc00', '\ud83d');
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ' ', '\0', 'a\0b', '\u2028', '\ufeff', '%', '_', '\\', "'", '"', '\u202e', 'İ', 'ß'),
  unpaired,
);
const fieldNames = fc.oneof(
  fc.constantFrom(
    'email',
    'name',
    'phone',
    'eventDate',
    'guests',
    'source',
    'stage',
    'tags',
    'scopes',
    'expiresAt',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'workspaceId', 'email.x', 'tags[0]', ''),
  oddText,
);
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  oddText,
  fc.double(),
  fc.constantFrom(2 ** 53, -(2 ** 63), 1e308, 5e-324, -0),
);
// Written member by member: an object could hold neither two of one name nor __proto__.
const jsonObjects = fc
  .array(fc.tuple(fieldNames, anyJson), { maxLength: 6 })
  .map(
    (members) =>
      `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  );

describe('never a 500, always the envelope and every header, with', () => {
  test(
    'any JSON object as a body',
    () =>
      check(
        fc.asyncProperty(jsonObjects, async (body) => {
          expectSound(await client.post('/v1/leads', body), [422]);
          expectSound(await client.patch(leadPath, body), [422]);
          expectSound(await client.post('/v1/api-keys', body), [403, 422]);
        }),
      ),
    ONE_MINUTE,
  );

  test(
    'any JSON value as a body',
    () =>
      check(
        fc.asyncProperty(fc.json({ maxDepth: 6, stringUnit: 'binary' }), async (body) => {
          expectSound(await client.post('/v1/leads', body), [400, 422]);
        }),
      ),
    ONE_MINUTE,
  );

  test(
    'any bytes as a body, of any declared type',
    () =>
      check(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 200 }),
          fc.oneof(
            fc.constantFrom('application/json', 'application/json; charset=utf-8'),
            fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim()),
          ),
          fc.constantFrom(undefined, 'gzip', 'identity', 'x'),
          async (bytes, type, encoding) => {
            const headers = { 'Content-Type': type, ...(encoding && { 'Content-Encoding': encoding }) };
            expectSound(await client.post('/v1/leads', Buffer.from(bytes), { headers }), [400, 422]);
          },
        ),
      ),
    ONE_MINUTE,
  );

  const names = fc.oneof(
    fc.constantFrom('page', 'limit', 'cursor', 'sort', 'stage', 'email', 'tag', 'source', 'q', 'archived'),
    fc.constantFrom('eventDateFrom', 'eventDateTo', 'createdAfter', 'createdBefore', 'updatedAfter'),
    fc.constantFrom('__proto__', 'constructor', 'page[]', 'page[x]', 'toString', ''),
    fc.string(),
  );
  const values = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer().map(String),
    fc.constantFrom('0', '-1', '1', '1e3', '0x10', ' 1', '9'.repeat(30), '-createdAt', 'name', 'all', 'lost'),
    fc.constantFrom(
      '2027-06-12',
      '2027-02-30',
      '2027-06-12T10:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '%',
      '\\',
    ),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.base64String().map((text) => Buffer.from(`["x",2,null,"${text}"]`).toString('base64url')),
  );
  const queries = fc
    .array(fc.tuple(names, values), { maxLength: 4 })
    .map((pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));

  test(
    'any parameters in a query',
    () =>
      check(
        fc.asyncProperty(queries, async (query) => {
          expectSound(await client.get(`/v1/leads?${query}`), [422]);
          expectSound(await client.get(`/v1/api-keys?${query}`), [422]);
          expectSound(await client.get(`/v1/me?${query}`), [422]);
        }),
      ),
    ONE_MINUTE,
  );

  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  });

  test(
    'any characters as a query',
    () =>
      check(
        fc.asyncProperty(visible, async (query) => {
          expectSound(await client.get(`/v1/leads?${query}`), [400, 422]);
        }),
      ),
    ONE_MINUTE,
  );

  test(
    'any path and method',
    () =>
      check(
        fc.asyncProperty(
          fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
          fc.constantFrom('', 'leads/', 'api-keys/', 'leads/lead_01h455vb4pex5vsknk084sn02q/', 'leads/%'),
          visible,
          async (method, front, rest) => {
            const path = `/v1/${front}${rest}`;
            expectSound(await client.request(method, path), [400, 404, 422], method === 'HEAD');
            const stranger = await gala.anonymous.request(method, path);
            expect(stranger.status).toBe(401);
            expectSound(stranger, [401], method === 'HEAD');
          },
        ),
      ),
    ONE_MINUTE,
  );

  const headerText = fc
    .string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    })
    .map((text) => text.replaceAll('\x7f', ''));

  test(
    'any text in headers',
    () =>
      check(
        fc.asyncProperty(
          fc.constantFrom(
            'Authorization',
            'X-Request-Id',
            'Accept',
            'Content-Type',
            'X-Forwarded-For',
            'If-None-Match',
            'Range',
            'Cookie',
            'Accept-Encoding',
            'Idempotency-Key',
            'Host',
          ),
          headerText,
          async (name, value) => {
            const answer = await client.get('/v1/me', { headers: { [name]: value } });
            expectSound(answer, name === 'Authorization' ? [401] : []);
            const stranger = await gala.anonymous.get('/v1/me', {
              headers: { Authorization: `Bearer ${value}` },
            });
            expectRefusal(stranger, 401);
          },
        ),
      ),
    ONE_MINUTE,
  );
});

describe('what is sound', () => {
  const text = (maxLength: number) =>
    fc
      .oneof(fc.string({ unit: 'grapheme', maxLength }), fc.string({ unit: 'binary', maxLength }))
      .filter(
        (value) =>
          value.trim() !== '' &&
          !value.includes('\0') &&
          value.isWellFormed() &&
          [...value].length <= maxLength,
      );
  const nullable = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
  const leads = fc.record({
    email: fc.constantFrom('ana@example.com', "O'Brien+x@Sub.Example.photography", 'user@xn--mnchen-3ya.de'),
    name: nullable(text(200)),
    source: nullable(text(100)),
    guests: nullable(fc.integer({ min: 1, max: 100_000 })),
    eventDate: nullable(
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    ),
    stage: fc.constantFrom('new_enquiry', 'contacted', 'visit_booked', 'lost'),
    tags: fc.uniqueArray(text(50), { maxLength: 50 }),
  });

  test(
    'comes back unchanged, from creating, reading, finding and updating',
    () =>
      check(
        fc.asyncProperty(leads, leads, async (lead, change) => {
          const created = await client.post('/v1/leads', lead);
          expect({ status: created.status, body: created.body }).toMatchObject({ status: 201, body: lead });
          const path = created.headers.location!;
          expect((await client.get(path)).body).toEqual(created.body);
          if (lead.name !== null) {
            const found = await client.get(`/v1/leads?q=${encodeURIComponent(lead.name)}&limit=100`);
            expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(created.body.id);
          }
          expect((await client.patch(path, change)).body).toMatchObject(change);
          expect((await client.get(path)).body).toMatchObject(change);
        }),
      ),
    ONE_MINUTE,
  );
});
