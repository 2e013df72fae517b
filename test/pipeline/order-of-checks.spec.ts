import { newId } from '../../src/kernel/ids';
import { type Document, operationsOf, resolve } from '../openapi/schema-validator';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
let document: Document;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client('test');
  document = (await gala.anonymous.get('/openapi.json')).body;
});
afterAll(() => gala.stop());

const PREFIXES: Record<string, string> = {
  leads: 'lead',
  proposals: 'prop',
  'calendar-events': 'cal',
  spaces: 'space',
  'api-keys': 'key',
  webhooks: 'wh',
  imports: 'imp',
};

/** The path with an id of the right kind that nothing has. */
const nowhere = (path: string) =>
  path.replace('{id}', newId(PREFIXES[path.split('/')[2]!]!)).replace('{delivery}', newId('del'));

test('a wrong field is told before an unknown id, on every route that has both', async () => {
  const tried: string[] = [];
  const failures: string[] = [];
  for (const { method, path, operation } of operationsOf(document)) {
    if (!path.includes('{id}')) continue;
    const body = operation.requestBody?.content['application/json']?.schema;
    const queries = (operation.parameters ?? []).filter((each: { in?: string }) => each.in === 'query');
    const attempts: [field: string, body: unknown, query: string][] = [
      ...Object.keys(body ? resolve(document, body).properties : {}).map(
        (name): [string, unknown, string] => [name, { [name]: { wrong: 1 } }, ''],
      ),
      ...queries.map(({ name }: { name: string }): [string, unknown, string] => [
        name,
        undefined,
        `?${name}=%20`,
      ]),
    ];
    for (const [field, wrong, query] of attempts) {
      tried.push(`${method} ${path} ${field}`);
      const answer = await client.request(method.toUpperCase(), nowhere(path) + query, wrong);
      const fields = answer.body.error?.details?.map((each: { field: string }) => each.field) ?? [];
      const isNamed = fields.some((each: string) => each === field || each.startsWith(`${field}.`));
      if (answer.status !== 422 || !isNamed)
        failures.push(`${tried.at(-1)}: ${answer.status} ${answer.text}`);
    }
  }
  expect(failures).toEqual([]);
  expect(tried.length).toBeGreaterThan(40);
});

const [LINE, SPACE] = [{ description: 'Hall', unit: 'flat', unitAmount: 5 }, newId('space')];
const TIMES = { startsAt: '2027-06-12T16:00:00Z', endsAt: '2027-06-12T15:00:00Z' };

/** What fields show together to be wrong, whatever the object is. */
const TOGETHER: [method: string, path: string, body: object, field: string][] = [
  ['PATCH', '/v1/proposals/{id}', { deposit: {} }, 'deposit.amount'],
  ['PATCH', '/v1/proposals/{id}', { deposit: { amount: null } }, 'deposit.amount'],
  ['PATCH', '/v1/proposals/{id}', { deposit: { amount: 5, percent: 5 } }, 'deposit.percent'],
  ['PATCH', '/v1/proposals/{id}', { lineItems: [LINE], deposit: { amount: 6 } }, 'deposit.amount'],
  ['PATCH', '/v1/proposals/{id}', { lineItems: null, deposit: { amount: 1 } }, 'deposit.amount'],
  ['PATCH', '/v1/proposals/{id}', { lineItems: [{ ...LINE, unitAmount: -5 }] }, 'lineItems'],
  [
    'PATCH',
    '/v1/proposals/{id}',
    { lineItems: [{ ...LINE, unitAmount: 1_000_000_000_000, quantity: 1_000_000 }] },
    'lineItems',
  ],
  ['PATCH', '/v1/calendar-events/{id}', TIMES, 'endsAt'],
  ['PATCH', '/v1/calendar-events/{id}', { startsAt: '2027-06-12', endsAt: '2027-06-12' }, 'endsAt'],
  ['PATCH', '/v1/calendar-events/{id}', { startsAt: '2027-06-12', endsAt: '2029-06-12' }, 'endsAt'],
  [
    'PATCH',
    '/v1/calendar-events/{id}',
    { startsAt: TIMES.startsAt, endsAt: '2029-06-12T16:00:00Z' },
    'endsAt',
  ],
  ['PATCH', '/v1/calendar-events/{id}', { startsAt: TIMES.startsAt, endsAt: '2027-06-13' }, 'endsAt'],
  ['PATCH', '/v1/calendar-events/{id}', { allDay: false, startsAt: '2027-06-12' }, 'startsAt'],
  ['PATCH', '/v1/calendar-events/{id}', { allDay: false, endsAt: '2027-06-12' }, 'endsAt'],
  [
    'PATCH',
    '/v1/calendar-events/{id}',
    { allDay: true, timeZone: 'Europe/Madrid', startsAt: TIMES.startsAt },
    'startsAt',
  ],
  ['PATCH', '/v1/calendar-events/{id}', { startsAt: '2011-12-30', timeZone: 'Pacific/Apia' }, 'startsAt'],
  ['PATCH', '/v1/calendar-events/{id}', { spaceId: SPACE, spaceIds: [SPACE] }, 'spaceIds'],
  [
    'PATCH',
    '/v1/calendar-events/{id}',
    { spaceIds: Array.from({ length: 21 }, () => newId('space')) },
    'spaceIds',
  ],
  ['PATCH', '/v1/calendar-events/{id}', { spaceIds: ['space_nowhere'] }, 'spaceIds'],
  ['PATCH', '/v1/calendar-events/{id}', { spaceId: newId('lead') }, 'spaceId'],
  ['PATCH', '/v1/calendar-events/{id}', { leadId: newId('space') }, 'leadId'],
  ['POST', '/v1/leads/{id}/visits', TIMES, 'endsAt'],
  ['POST', '/v1/leads/{id}/visits', { startsAt: '2027-06-12' }, 'startsAt'],
  ['POST', '/v1/leads/{id}/visits', { startsAt: TIMES.startsAt, spaceId: 'hall' }, 'spaceId'],
  [
    'POST',
    '/v1/leads/{id}/visits',
    { startsAt: TIMES.startsAt, spaceId: SPACE, spaceIds: [SPACE] },
    'spaceIds',
  ],
  ['PATCH', '/v1/leads/{id}', { phone: '+44 (0)7911 123456' }, 'phone'],
  ['PATCH', '/v1/webhooks/{id}', { events: [] }, 'events'],
];

/** Which event types there are and where may be sent to is up to the installation, and looked at by itself. */
const BY_INSTALLATION: typeof TOGETHER = [
  ['PATCH', '/v1/webhooks/{id}', { events: ['lead.creatd'], url: 'ftp://example.com' }, 'events'],
  ['PATCH', '/v1/webhooks/{id}', { events: ['lead.creatd'], url: 'ftp://example.com' }, 'url'],
];

test.each([...TOGETHER, ...BY_INSTALLATION])(
  '%s %s %j is a 422 on an unknown id too',
  async (method, path, body, field) => {
    expectRefusal(await client.request(method, nowhere(path), body), 422, { field });
  },
);

test.each([
  ...TOGETHER,
  ['POST', '/v1/messages', { leadId: newId('lead') }, 'text'],
  ['POST', '/v1/messages', { leadId: 'Ana', text: 'Hi' }, 'leadId'],
  ['POST', '/v1/proposals', { leadId: 'Ana', title: 'Dinner' }, 'leadId'],
  ['POST', '/v1/proposals', { leadId: newId('lead'), title: 'Dinner', deposit: {} }, 'deposit.amount'],
  ['POST', '/v1/calendar-events', { ...TIMES, type: 'event', title: 'Wedding' }, 'endsAt'],
] as [string, string, object, string][])(
  '%s %s %j is told together with other problems',
  async (method, path, body, field) => {
    const answer = await client.request(method, nowhere(path), { ...body, nonsense: 1 });
    expectRefusal(answer, 422, { field });
    expectRefusal(answer, 422, { field: 'nonsense' });
  },
);

test('what depends on the object is looked at when it is known', async () => {
  const open = { startsAt: '2027-06-12T16:00:00Z' };
  const later = [
    ['/v1/calendar-events/{id}', { endsAt: '2027-06-12T15:00:00Z' }],
    ['/v1/calendar-events/{id}', { allDay: true }],
    ['/v1/calendar-events/{id}', { ...open, allDay: true }],
    ['/v1/proposals/{id}', { deposit: { amount: 5 } }],
    ['/v1/proposals/{id}', { lineItems: [{ ...LINE, unit: 'per_guest', unitAmount: -5 }] }],
  ] as const;
  for (const [path, body] of later) expectRefusal(await client.patch(nowhere(path), body), 404);
});
