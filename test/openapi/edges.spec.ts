import { newId } from '../../src/kernel/ids';
import { uploaded } from '../files/support';
import { log } from '../activities/support';
import type { Client } from '../support/http-client';
import { createSpace, plan } from '../support/calendar';
import { addField } from '../support/fields';
import { createLead } from '../support/leads';
import { holdFields, place } from '../holds/support';
import { createTask } from '../tasks/support';
import { draft } from '../proposals/support';
import { addReason, addStage } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';
import { type Document, type Operation, operationsOf, resolve, SchemaValidator } from './schema-validator';

jest.setTimeout(300_000);

let gala: TestGala;
let client: Client;
let document: Document;
let validator: SchemaValidator;
/** Objects that there are, by the prefix of their ids. */
let ids: Record<string, string>;

beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  client = await (await gala.createWorkspace()).client('test');
  document = (await gala.anonymous.get('/openapi.json')).body;
  validator = new SchemaValidator(document);
  const created = [
    await createLead(client, { phone: '+34600123456', guests: 20 }),
    await createSpace(client),
    await plan(client, { type: 'hold' }),
    await draft(client),
    (await client.post('/v1/api-keys', { name: 'Website', scopes: ['leads:read'] })).body,
    (await client.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })).body,
    await addReason(client, 'Over budget'),
    await addField(client, 'room'),
    (await client.post('/v1/imports')).body,
  ];
  created.push(await log(client, created[0].id), await createTask(client));
  created.push(await place(client, await holdFields(client)));
  await addStage(client, 'tasting');
  created.push(await uploaded(client));
  ids = Object.fromEntries(created.map(({ id }) => [id.split('_')[0], id]));
});
afterAll(() => gala.stop());

/** What no schema can tell, and why: by the field, or by the path and the field. */
const UNTOLD: [field: RegExp, reason: string][] = [
  [/^phone$/, 'which of all the characters between digits are separators would take pages'],
  [/^currency$/, 'the list of currencies changes with ISO 4217'],
  [/^timeZone$/, 'the list of time zones changes with the tz database'],
  [/^url$/, 'where events may be sent is up to the operator'],
  [/^(events|types?)$/, 'extensions add event types'],
  [/^scopes$/, 'extensions add scopes'],
  [/^template\.(name|language|variables)$/, 'which templates there are, WhatsApp says'],
  [/^at$/, 'the clock decides what lies in the future; leap days'],
  [/^expiresAt$/, 'the clock decides what lies in the future'],
  [/^(startsAt|endsAt|allDay|from|to)$/, 'one of two times is later than the other; leap days'],
  [/^deposit\.amount$/, 'the total is the limit'],
  [/^lineItems$/, 'lines together come to too much or to too little'],
  [
    /^lineItems\[\d+\]\.(quantity|taxRate)$|^deposit\.percent$/,
    'validators judge decimals of binary fractions differently',
  ],
  [
    /^(leadId|ownerId|assigneeId|spaceIds?|lostReasonId|coverImage|contact\.photo)$/,
    'whether there is such an object',
  ],
  [/^sections\[\d+\]\.images\[\d+\]$/, 'whether there is such an object'],
  [/^\/v1\/hold-policy (defaultDays|maxTotalDays)$/, 'one of them is at most the other'],
  [/^\/v1\/holds\/\S+ (status|rank)$/, 'whether the hold has ended, and who is ahead'],
  [/^\/v1\/holds\/\S+\/challenge deadline$/, 'the clock decides what lies in the future'],
  [/^\/v1\/holds expiresBefore$/, 'leap days'],
  [/^(stage|allowedFrom|keys|moveTo|visitBooked|proposalSent|proposalAccepted)$/, 'workspaces add stages'],
  [/^lostNote$/, 'whether the lead is lost'],
  [/^\/v1\/stages.* (key|isHidden|requiredFields)$/, 'which stages there are, and with which outcomes'],
  [/^\/v1\/lost-reasons.* name$/, 'which names there are'],
  [/^externalId$/, 'which ones other leads have'],
  [/^\/v1\/leads (email|phone)$/, 'which ones other leads have, with onDuplicate'],
  [/^\/v1\/leads\/upsert (email|matchBy)$/, 'how many leads match'],
  [/^\/v1\/leads\/bulk (matchBy|onExisting|onMultiple|onDuplicate)$/, 'which options an operation takes'],
  [/^items\[\d+\]/, 'which operation the items are for'],
  [/^\/v1\/lead-fields.* (key|options.*)$/, 'which fields there are, of which types and with which options'],
  [/^custom(\..*)?$/, 'workspaces add fields'],
  [/^mapping\[\d+\]\.(column|field)$/, 'which columns a file has, and which fields a workspace'],
  [/^defaults\./, 'the fields of leads have rules of their own'],
  [/^(cursor|after)$/, 'only the service knows its own'],
];

const text = (length: number) => '😀'.repeat(length);
/** Of a field that takes any text the odd ones at the beginning say enough. */
const MAX_VALUES = 16;
const LONG_ADDRESS = `${'a'.repeat(64)}@${Array(3).fill('b'.repeat(60)).join('.')}.info`;

/** Values at the edge of one rule or another; of each field those are sent that its schema lets through. */
function pool(): unknown[] {
  const numbers = [
    0,
    1,
    -1,
    0.5,
    0.001,
    0.0001,
    20,
    99.999,
    100,
    1e5,
    1e6,
    1e9,
    1e12,
    -1e12,
    2 ** 53 - 1,
    2 ** 53,
  ];
  const texts = [
    '',
    ' ',
    '\u00a0',
    '\t',
    'a',
    ' a ',
    '😀',
    '0',
    'null',
    ...[50, 100, 200, 300, 500, 512].map(text),
  ];
  const days = [
    '1899-12-31',
    '1900-01-01',
    '2027-02-29',
    '2028-02-29',
    '2027-06-31',
    '2999-12-31',
    '3000-01-01',
    '9999-12-31',
  ];
  const times = [
    ...['2027-06-12T16:00:00Z', '2027-06-12t16:00:00.123456789z', '2027-06-12T16:00:00.1234567890Z'],
    ...['2027-06-12T16:00:00+23:59', '2027-06-12T16:00:60Z', '2027-06-12T24:00:00Z', '2027-06-12 16:00:00Z'],
    ...['2027-06-12T16:00:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ];
  const phones = [
    '+34 600 123 456',
    '+1234567',
    '+123456',
    '+123456789012345',
    '+1234567890123456',
    '+44 (0)7911 123456',
  ];
  const others = [
    ...['ana@example.com', LONG_ADDRESS, 'EUR', 'eur', 'JPY', 'Europe/Madrid', 'UTC', 'Nowhere'],
    ...['lead.created', 'lead.*', '*', 'leads:read', 'http://127.0.0.1:9/', 'ftp://example.com'],
  ];
  const words = [
    ...texts,
    ...days,
    ...times,
    ...phones,
    ...others,
    ...Object.values(ids),
    newId('lead').toUpperCase(),
  ];
  const plain = [null, true, false, ...numbers, ...words];
  const lists = [
    [],
    ...words.map((word) => [word]),
    Array(101).fill('lead.*'),
    Array(21).fill(ids.space),
    [null],
  ];
  const objects = [
    {},
    { amount: 0 },
    { percent: 30 },
    { percent: null },
    { amount: 1, percent: 1 },
    { amount: 0, percent: null },
  ];
  const template = { name: 'visit_reminder', language: 'en' };
  return [...plain, ...lists, ...objects, template, { ...template, variables: Array(101).fill('a') }];
}

/** The property's schema with what is within it at its own edges. */
function valuesOf(schema: any): unknown[] {
  const resolved = resolve(document, schema);
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    items,
    examples,
    enum: choices,
  } = resolved;
  const item = items && [...(resolve(document, items).examples ?? []), ...valuesOfItem(items)][0];
  const own = [
    ...(examples ?? []),
    ...(choices ?? []),
    ...[minLength, maxLength].filter(Boolean).map(text),
    ...[minimum, maximum].filter((value) => value !== undefined),
    ...[minItems, maxItems].filter(Boolean).map((count: number) => Array(count).fill(item)),
  ];
  const fitting = [...new Set([...own, ...pool()])].filter(
    (value) => validator.problems(schema, value).length === 0,
  );
  return fitting.slice(0, MAX_VALUES);
}

function valuesOfItem(items: any): unknown[] {
  const { properties } = resolve(document, items);
  return properties
    ? [exampleOf(properties)]
    : pool().filter((value) => validator.problems(items, value).length === 0);
}

const exampleOf = (properties: object): object =>
  Object.fromEntries(Object.entries<any>(properties).map(([name, each]) => [name, each.examples?.[0]]));

/** Each field of each line at its edges. */
function nested(schema: any, name: string, base: any): object[] {
  const resolved = resolve(document, schema);
  const isList = Boolean(resolved.items);
  const inner = resolve(document, resolved.items ?? resolved.allOf?.[0] ?? resolved.anyOf?.[0] ?? resolved);
  if (!inner.properties) return [];
  const usual = isList
    ? (base[name]?.[0] ?? exampleOf(inner.properties))
    : (base[name] ?? exampleOf(inner.properties));
  return Object.entries<any>(inner.properties).flatMap(([field, each]) =>
    valuesOf(each).map((value) => {
      const object = { ...usual, [field]: value };
      return { ...base, [name]: isList ? [object] : object };
    }),
  );
}

const withIds = (value: unknown): any =>
  JSON.parse(
    JSON.stringify(value).replace(/"([a-z]+)_01h455vb4pex5vsknk084sn02q"/g, (whole, prefix: string) =>
      ids[prefix] ? `"${ids[prefix]}"` : whole,
    ),
  );

function bodiesOf({ operation }: Operation): object[] {
  const { schema, example } = operation.requestBody.content['application/json'];
  const { properties, required = [] } = resolve(document, schema);
  const { spaceId: _, ...base } = withIds(example);
  const least = Object.fromEntries(required.map((name: string) => [name, base[name]]));
  const each = Object.entries<any>(properties).flatMap(([name, field]) => [
    ...valuesOf(field).map((value) => ({ ...base, [name]: value })),
    ...nested(field, name, base),
  ]);
  const distinct = new Map([base, least, ...each].map((body) => [JSON.stringify(body), body]));
  return [...distinct.values()].filter((body) => validator.problems(schema, body).length === 0);
}

const pathOf = (path: string) =>
  path
    .replace('{key}', 'tasting')
    .replace('{activity}', ids.act!)
    .replace('{id}', () => {
      const prefixes: Record<string, string> = { leads: 'lead', proposals: 'prop', 'calendar-events': 'cal' };
      const more: Record<string, string> = {
        'lost-reasons': 'reason',
        spaces: 'space',
        tasks: 'task',
        holds: 'hold',
        'api-keys': 'key',
        webhooks: 'wh',
      };
      return ids[{ ...prefixes, ...more }[path.split('/')[2]!]!]!;
    });

/** The fields of a refusal that the document could have told. */
function told({ status, body }: { status: number; body: any }, path: string): string[] {
  if (status !== 422) return [];
  const fields: string[] = body.error.details.map(({ field }: { field: string }) => field);
  return fields.filter(
    (field) => !UNTOLD.some(([pattern]) => pattern.test(field) || pattern.test(`${path} ${field}`)),
  );
}

/** Of these only so many may be there at a time. */
const TAKEN_AWAY = ['/v1/spaces', '/v1/webhooks'];

test('no body that its schema lets through is refused for what a schema can say', async () => {
  const wrong: string[] = [];
  let count = 0;
  const operations = operationsOf(document).filter(
    ({ path, operation }) =>
      operation.requestBody?.content['application/json'] &&
      path.startsWith('/v1/') &&
      !path.endsWith('/rotate'),
  );
  for (const each of operations) {
    for (const body of bodiesOf(each)) {
      count++;
      const answer = await client.request(each.method.toUpperCase(), pathOf(each.path), body);
      expect(answer.status).not.toBe(400);
      for (const field of told(answer, each.path)) {
        wrong.push(
          `${each.method} ${each.path} ${field}: ${JSON.stringify(body).slice(0, 300)} ${answer.text}`,
        );
      }
      if (answer.status === 201 && TAKEN_AWAY.includes(each.path))
        await client.delete(answer.headers.location!);
      if (answer.status === 201 && each.path === '/v1/imports')
        await client.post(`${answer.headers.location}/cancel`);
      // What a change has ended is there again for the next one.
      if (answer.body.status === 'disabled') await client.patch(pathOf(each.path), { status: 'enabled' });
      if (answer.body.status === 'cancelled') await client.patch(pathOf(each.path), { status: 'confirmed' });
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('no parameter that its schema lets through is refused for what a schema can say', async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { path, method, operation } of operationsOf(document)) {
    const parameters = (operation.parameters ?? []).filter((each: any) => each.in === 'query');
    const valueOf = ({ schema, example }: any) =>
      [example ?? schema.examples?.[0], schema.examples, schema.default].flat()[0];
    const usual = parameters
      .filter((each: any) => each.required)
      .map((each: any) => [each.name, valueOf(each)]);
    for (const { name, schema } of parameters) {
      const values = valuesOf(schema).filter((value) => ['string', 'number'].includes(typeof value));
      for (const value of values) {
        count++;
        const query = new URLSearchParams({ ...Object.fromEntries(usual), [name]: String(value) });
        const answer = await client.request(method.toUpperCase(), `${pathOf(path)}?${query}`);
        for (const field of told(answer, path))
          wrong.push(`${method} ${path} ${field}=${JSON.stringify(value)} ${answer.text}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(200);
});
