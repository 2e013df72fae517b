import { newId } from '../../src/kernel/ids';
import { addStage } from '../support/stages';
import { allEvents, eventsOf } from '../support/events';
import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectForbidden, expectInvalid } from '../support/refusals';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { assignTo, newMembers, spreadOf } from './assignment-support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));

const bulk = (operation: string, items: unknown, options: object = {}): Promise<Answer> =>
  client.post('/v1/leads/bulk', { operation, items, ...options });
const read = async (id: string): Promise<LeadBody> => (await client.get(`/v1/leads/${id}`)).body;
const total = async (): Promise<number> => (await list(client, { archived: 'all' })).body.pagination.total;
const statusesOf = ({ body }: Answer) => body.results.map(({ status }: { status: string }) => status);
const fieldsOf = ({ body }: Answer) =>
  body.results.map(({ error }: any) => error?.details.map(({ field }: any) => field) ?? null);
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `guest${index}@example.com` }));

describe('create', () => {
  test('makes leads in the order of the items, each as a single creation would', async () => {
    const items = [
      {
        email: 'ana@example.com',
        name: 'Ana',
        phone: '+34 600 123 456',
        eventDate: '2027-06-12',
        guests: 120,
        tags: ['vip', 'VIP', 'a "quoted", {odd} \\ one'],
      },
      {
        email: 'o’brien@example.com',
        name: '😀 Zoë',
        source: null,
        stage: 'lost',
        lostNote: 'Too\nsmall',
        externalId: 'crm-1',
      },
    ];
    const answer = await bulk('create', items);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 0 });
    const [ana, zoe] = answer.body.results.map(({ lead }: { lead: LeadBody }) => lead);
    expect(answer.body.results).toEqual([
      { index: 0, status: 'created', lead: ana, error: null },
      { index: 1, status: 'created', lead: zoe, error: null },
    ]);
    expect(ana).toMatchObject({
      ...items[0],
      phone: '+34600123456',
      tags: ['vip', 'a "quoted", {odd} \\ one'],
    });
    expect(zoe).toMatchObject({ ...items[1], outcome: 'lost' });
    for (const lead of [ana, zoe]) {
      expect(await read(lead.id)).toEqual(lead);
      const [created, ...others] = await eventsOf(gala, lead.id);
      expect(others).toEqual([]);
      expect(created).toMatchObject({
        type: 'lead.created',
        data: lead,
        previous: null,
        cause: { type: 'api_key' },
      });
      expect((await list(client, { q: lead.name })).body.data).toEqual([lead]);
    }
    expect((await list(client)).body.data).toEqual([zoe, ana]);
  });

  test('one bad item fails alone, with all of its problems', async () => {
    const answer = await bulk('create', [
      { email: 'ana@example.com' },
      { name: 'Eva', guests: 0, nonsense: 1 },
      { email: 'a\u0000b@example.com' },
      { email: 'eva@example.com', ['__proto__x']: 1, constructor: 1 },
      { email: 'eva@example.com', stage: 'nowhere' },
      { email: 'ben@example.com' },
    ]);
    expect(statusesOf(answer)).toEqual(['created', 'failed', 'failed', 'failed', 'failed', 'created']);
    expect(answer.body).toMatchObject({ created: 2, failed: 4 });
    expect(fieldsOf(answer)).toEqual([
      null,
      ['email', 'nonsense', 'guests'],
      ['email'],
      ['__proto__x', 'constructor'],
      ['stage'],
      null,
    ]);
    expect(answer.body.results[1]).toEqual({
      index: 1,
      status: 'failed',
      lead: null,
      error: {
        code: 'validation_error',
        message: 'email: is required',
        field: 'email',
        details: expect.any(Array),
      },
    });
    expect(await total()).toBe(2);
  });

  test('refuses duplicates if that is wanted, those of earlier items too', async () => {
    const lead = await createLead(client);
    const items = [
      { email: 'ANA@example.com' },
      { email: 'eva@example.com', phone: '+34600123456' },
      { email: 'EVA@example.com' },
      { email: 'ben@example.com', phone: '+34 600 123 456' },
      { email: 'ben@example.com' },
    ];
    const answer = await bulk('create', items, { onDuplicate: 'refuse' });
    expect(fieldsOf(answer)).toEqual([['email'], null, ['email'], ['phone'], null]);
    expect(answer.body.results[0].error.message).toContain(lead.id);
    expect(answer.body.results[2].error.message).toContain(answer.body.results[1].lead.id);
    expect(statusesOf(await bulk('create', items))).toEqual(Array(5).fill('created'));
  });

  test('gives an external id to one lead alone', async () => {
    const lead = await createLead(client, { externalId: 'one' });
    const answer = await bulk('create', [
      { email: 'a@example.com', externalId: 'one' },
      { email: 'b@example.com', externalId: 'two' },
      { email: 'c@example.com', externalId: 'two' },
    ]);
    expect(fieldsOf(answer)).toEqual([['externalId'], null, ['externalId']]);
    expect(answer.body.results[0].error.message).toContain(lead.id);
    expect(answer.body.results[2].error.message).toContain(answer.body.results[1].lead.id);
  });
});

describe('update', () => {
  test('changes the leads with those ids', async () => {
    const [one, two] = [await createLead(client, { name: 'Ana', tags: ['vip'] }), await createLead(client)];
    const answer = await bulk('update', [
      { id: two.id, stage: 'contacted' },
      { id: one.id, name: null, tags: null },
      { id: one.id },
      { id: newId('lead'), name: 'Eva' },
      { name: 'Eva' },
      { id: 'prop_1', name: 'Eva' },
      { id: two.id, email: null },
    ]);
    expect(statusesOf(answer)).toEqual([
      'updated',
      'updated',
      'unchanged',
      'failed',
      'failed',
      'failed',
      'failed',
    ]);
    expect(fieldsOf(answer).slice(3)).toEqual([['id'], ['id'], ['id'], ['email']]);
    expect(await read(two.id)).toMatchObject({ stage: 'contacted' });
    expect(await read(one.id)).toMatchObject({ name: null, tags: [] });
    expect((await eventsOf(gala, two.id)).map(({ type, previous }) => [type, previous])).toEqual([
      ['lead.created', null],
      ['lead.updated', { stage: 'new_enquiry', updatedAt: two.updatedAt }],
      ['lead.stage_changed', { stage: 'new_enquiry' }],
    ]);
    const { body: timeline } = await client.get(`/v1/leads/${two.id}/timeline`);
    expect(timeline.data).toMatchObject([{ type: 'stage_changed' }]);
  });

  test('of one lead in several items: each finds what the one before has made of it', async () => {
    const lead = await createLead(client);
    const answer = await bulk('update', [
      { id: lead.id, guests: 10, ifMatch: '"1"' },
      { id: lead.id, guests: 20, ifMatch: '"1"' },
      { id: lead.id, guests: 10 },
      { id: lead.id, name: 'Ana', ifMatch: '"2"' },
    ]);
    expect(statusesOf(answer)).toEqual(['updated', 'failed', 'unchanged', 'updated']);
    expect(fieldsOf(answer)[1]).toEqual(['If-Match']);
    expect((await client.get(`/v1/leads/${lead.id}`)).headers.etag).toBe('"3"');
    expect(
      (await eventsOf(gala, lead.id)).map(({ previous }) => previous && Object.keys(previous).sort()),
    ).toEqual([null, ['guests', 'updatedAt'], ['name', 'updatedAt']]);
  });

  test.each([['1'], [''], [null], [1]])('ifMatch %j is refused', async (ifMatch) => {
    const lead = await createLead(client);
    expect(fieldsOf(await bulk('update', [{ id: lead.id, name: 'Ana', ifMatch }]))).toEqual([['ifMatch']]);
  });

  test('an archived lead, a lead of another workspace and one of the other mode aren’t changed', async () => {
    const archived = await createLead(client);
    await client.delete(`/v1/leads/${archived.id}`);
    const theirs = await createLead(await (await gala.createWorkspace()).client());
    const sandbox = await createLead(await workspace.client('test'));
    const answer = await bulk(
      'update',
      [archived, theirs, sandbox].map(({ id }) => ({ id, name: 'Eva' })),
    );
    expect(fieldsOf(answer)).toEqual([['archivedAt'], ['id'], ['id']]);
  });
});

describe('upsert', () => {
  test('changes leads that match and creates the others; later items find those of earlier ones', async () => {
    const lead = await createLead(client, { externalId: 'one' });
    const answer = await bulk(
      'upsert',
      [
        { externalId: 'two', email: 'eva@example.com' },
        { externalId: 'one', name: 'Ana' },
        { externalId: 'two', name: 'Eva' },
        { externalId: 'one', name: 'Ana' },
        { name: 'Ben' },
        { externalId: 'three', name: 'Ben' },
      ],
      { matchBy: 'externalId' },
    );
    expect(statusesOf(answer)).toEqual(['created', 'updated', 'updated', 'unchanged', 'failed', 'failed']);
    expect(answer.body).toMatchObject({ created: 1, updated: 2, unchanged: 1, failed: 2 });
    expect(fieldsOf(answer).slice(4)).toEqual([['externalId'], ['email']]);
    expect(await read(lead.id)).toMatchObject({ name: 'Ana' });
    const eva = answer.body.results[2].lead;
    expect(await read(eva.id)).toEqual(eva);
    expect((await eventsOf(gala, eva.id)).map(({ type, data }) => [type, data.name])).toEqual([
      ['lead.created', null],
      ['lead.updated', 'Eva'],
    ]);
    expect(await total()).toBe(2);
  });

  test('follows values that earlier items have changed', async () => {
    const lead = await createLead(client, { externalId: 'one', email: 'ana@example.com' });
    const older = await createLead(client, { email: 'eva@example.com' });
    const newer = await createLead(client, { externalId: 'three', email: 'EVA@example.com' });
    await bulk('update', [
      { id: lead.id, email: 'eva@example.com' },
      { id: newer.id, email: 'ben@example.com' },
    ]);
    const by = (matchBy: string, fields: object, options = {}) =>
      bulk('upsert', [fields], { matchBy, ...options });
    expectInvalidItem(await by('email', { email: 'eva@example.com' }), 'matchBy');
    // In one batch, an item moves an address away from the lead that a later item would find.
    const answer = await bulk(
      'upsert',
      [
        { email: 'ana@example.com', phone: '+34600123456' },
        { email: 'ben@example.com', externalId: 'four' },
        { email: 'Ana@example.com', name: 'Ana' },
      ],
      { matchBy: 'email' },
    );
    expect(statusesOf(answer)).toEqual(['created', 'updated', 'updated']);
    expect(answer.body.results[2].lead).toMatchObject({
      id: answer.body.results[0].lead.id,
      phone: '+34600123456',
    });
    expect(await read(older.id)).toEqual(older);
  });

  test('changes a lead that only became the newest by an earlier item', async () => {
    const older = await createLead(client, { externalId: 'older' });
    const newer = await createLead(client, { externalId: 'newer' });
    const items = [
      { email: 'ANA@example.com', externalId: 'newer', stage: 'contacted' },
      { email: 'ana@example.com', name: 'Ana' },
    ];
    const first = await bulk('upsert', items, { matchBy: 'email', onMultiple: 'newest' });
    expect(first.body.results.map(({ lead }: any) => lead.id)).toEqual([newer.id, newer.id]);
    const moved = await bulk(
      'upsert',
      [
        { externalId: 'newer', email: 'eva@example.com' },
        { externalId: 'older', guests: 20 },
      ],
      { matchBy: 'externalId' },
    );
    expect(statusesOf(moved)).toEqual(['updated', 'updated']);
    const found = await bulk('upsert', [{ email: 'ana@example.com', source: 'fair' }], { matchBy: 'email' });
    expect(found.body.results[0].lead).toMatchObject({ id: older.id, guests: 20, source: 'fair' });
  });

  test('fills', async () => {
    await createLead(client, { name: 'Ana', stage: 'contacted' });
    const items = [{ email: 'ana@example.com', name: 'Eva', guests: 20, stage: 'new_enquiry' }];
    const answer = await bulk('upsert', items, { matchBy: 'email', onExisting: 'fill' });
    expect(answer.body.results[0].lead).toMatchObject({ name: 'Ana', guests: 20, stage: 'contacted' });
  });
});

function expectInvalidItem({ body }: Answer, field: string): void {
  expect(body.results).toMatchObject([{ status: 'failed', error: { code: 'validation_error', field } }]);
}

describe('atomic', () => {
  test('stores nothing if any item fails, and names every problem of every item', async () => {
    const lead = await createLead(client, { externalId: 'one' });
    const before = await allEvents(gala, workspace.id);
    const answer = await bulk(
      'create',
      [
        { email: 'ana@example.com' },
        { email: 'nobody', guests: 0 },
        { email: 'eva@example.com', externalId: 'one' },
        { email: 'ben@example.com', stage: 'nowhere' },
      ],
      { atomic: true },
    );
    expectInvalid(answer, 'items[1].email');
    expect(answer.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'items[1].email',
      'items[1].guests',
      'items[2].externalId',
      'items[3].stage',
    ]);
    expect(answer.body.error.details[2].message).toContain(lead.id);
    expect((await list(client)).body.data).toEqual([lead]);
    expect(await allEvents(gala, workspace.id)).toEqual(before);
  });

  test('stores all otherwise', async () => {
    const answer = await bulk('create', emails(3), { atomic: true });
    expect(answer).toMatchObject({ status: 200, body: { created: 3, failed: 0 } });
    expect(await total()).toBe(3);
  });

  test('names at most fifty problems', async () => {
    const answer = await bulk('create', Array(100).fill({ guests: 0 }), { atomic: true });
    expect(answer.body.error.details).toHaveLength(50);
  });
});

describe('what is refused as a whole', () => {
  const item = { email: 'ana@example.com' };
  test.each<[string, object, string]>([
    ['no operation', { items: [item] }, 'operation'],
    ['an unknown operation', { operation: 'delete', items: [item] }, 'operation'],
    ['no items', { operation: 'create' }, 'items'],
    ['an empty list', { operation: 'create', items: [] }, 'items'],
    ['101 items', { operation: 'create', items: Array(101).fill(item) }, 'items'],
    ['items that are no objects', { operation: 'create', items: [item, 'ana@example.com'] }, 'items'],
    ['one item', { operation: 'create', items: item }, 'items'],
    ['an upsert without what to match by', { operation: 'upsert', items: [item] }, 'matchBy'],
    ['an update with it', { operation: 'update', items: [item], matchBy: 'email' }, 'matchBy'],
    ['an update that fills', { operation: 'update', items: [item], onExisting: 'fill' }, 'onExisting'],
    [
      'an upsert that refuses duplicates',
      { operation: 'upsert', matchBy: 'email', items: [item], onDuplicate: 'refuse' },
      'onDuplicate',
    ],
    ['atomic that is no boolean', { operation: 'create', items: [item], atomic: 'yes' }, 'atomic'],
    ['an unknown option', { operation: 'create', items: [item], onError: 'stop' }, 'onError'],
  ])('%s', async (_, body, field) => {
    expectInvalid(await client.post('/v1/leads/bulk', body), field);
    expect(await total()).toBe(0);
  });

  test('options that are the default are not', async () => {
    const options = { atomic: false, onExisting: 'overwrite', onMultiple: 'refuse', onDuplicate: 'create' };
    expect((await bulk('create', [item], options)).body.created).toBe(1);
    expect((await bulk('upsert', [item], { ...options, matchBy: 'email' })).body.unchanged).toBe(1);
  });

  test('a key that can’t write leads', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.post('/v1/leads/bulk', { operation: 'create', items: [item] }));
  });
});

test('a hundred items count as one write', async () => {
  const before = await client.post('/v1/leads', { email: 'ana@example.com' });
  const after = await bulk('create', emails(100));
  expect(after.body.created).toBe(100);
  const remaining = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining']);
  expect(remaining(after)).toBe(remaining(before) - 1);
  expect(await total()).toBe(101);
});

test('a request that is sent again creates nothing again, also when an item can’t be stored', async () => {
  const deep = JSON.parse('['.repeat(30) + ']'.repeat(30));
  const items = [
    { email: 'ana@example.com' },
    { email: 'eva@example.com', name: 'a\u0000' },
    { email: 'ben@example.com', tags: deep },
  ];
  const send = () =>
    client.post('/v1/leads/bulk', { operation: 'create', items }, { headers: { 'Idempotency-Key': 'one' } });
  const [first, again] = [await send(), await send()];
  expect(statusesOf(first)).toEqual(['created', 'failed', 'failed']);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await total()).toBe(1);
});

describe('rules of a workspace hold for each item', () => {
  test('an added stage admits only what it may', async () => {
    await addStage(client, 'tasting', { requiredFields: ['guests'], allowedFrom: ['contacted'] });
    const lead = await createLead(client, { guests: 20 });
    const create = await bulk('create', [
      { email: 'a@example.com', stage: 'tasting' },
      { email: 'b@example.com', stage: 'tasting', guests: 5 },
      { email: 'c@example.com', stage: 'tasted' },
    ]);
    expect(fieldsOf(create)).toEqual([['guests'], null, ['stage']]);
    const update = await bulk('update', [
      { id: lead.id, stage: 'tasting' },
      { id: lead.id, stage: 'contacted' },
      { id: lead.id, stage: 'tasting' },
    ]);
    expect(fieldsOf(update)).toEqual([['stage'], null, null]);
    expect(await read(lead.id)).toMatchObject({ stage: 'tasting' });
    expect((await eventsOf(gala, lead.id)).map(({ type }) => type)).toEqual([
      'lead.created',
      ...['lead.updated', 'lead.stage_changed', 'lead.updated', 'lead.stage_changed'],
    ]);
    const { body } = await client.get(`/v1/leads/${lead.id}/timeline`);
    expect(body.data).toHaveLength(2);
  });

  test('members take turns; a lead that fails takes none', async () => {
    const members = await newMembers(gala, workspace, 3);
    await assignTo(gala, workspace, 'round_robin', members);
    const [first] = members;
    const items = emails(7).map((item, index) => (index === 3 ? { ...item, guests: 0 } : item));
    const answer = await bulk('create', [...items, { email: 'own@example.com', ownerId: first!.id }]);
    const leads: LeadBody[] = answer.body.results.flatMap(({ lead }: any) => lead ?? []);
    expect(
      spreadOf(
        members,
        leads.map(({ ownerId }) => ownerId),
      ),
    ).toEqual([3, 2, 2]);
    const singles = [await createLead(client), await createLead(client), await createLead(client)];
    expect(
      spreadOf(
        members,
        singles.map(({ ownerId }) => ownerId),
      ),
    ).toEqual([1, 1, 1]);
    expect((await eventsOf(gala, leads[0]!.id)).map(({ type }) => type)).toEqual([
      'lead.created',
      'lead.assigned',
    ]);
  });

  test('an owner has to be a member', async () => {
    const [member] = await newMembers(gala, workspace, 1);
    const answer = await bulk('create', [
      { email: 'a@example.com', ownerId: newId('user') },
      { email: 'b@example.com', ownerId: member!.id },
    ]);
    expect(fieldsOf(answer)).toEqual([['ownerId'], null]);
    expect(answer.body.results[1].lead.ownerId).toBe(member!.id);
  });
});

test('batches that change and find the same leads in other orders all end', async () => {
  const leads: LeadBody[] = [];
  for (let count = 0; count < 12; count++) {
    leads.push(await createLead(client, { email: `guest${count}@example.com`, externalId: `crm-${count}` }));
  }
  const batches = Array.from({ length: 24 }, (_, number) => {
    const order = leads.toSorted((one, other) => (number % 2 ? 1 : -1) * (one.id < other.id ? -1 : 1));
    if (number % 3 === 0)
      return bulk(
        'update',
        order.map(({ id }) => ({ id, guests: number + 1 })),
      );
    const [matchBy, key] =
      number % 3 === 1 ? ['email', 'email' as const] : ['externalId', 'externalId' as const];
    return bulk(
      'upsert',
      order.map((lead) => ({ [key]: lead[key], source: `batch ${number}` })),
      { matchBy },
    );
  });
  for (const answer of await Promise.all(batches)) {
    expect(answer).toMatchObject({ status: 200, body: { updated: 12, failed: 0 } });
  }
  for (const { id } of leads) expect((await client.get(`/v1/leads/${id}`)).headers.etag).toBe('"25"');
});
