import { newId } from '../../src/kernel/ids';
import { Clock } from '../../src/kernel/clock';
import { ExpiryJob } from '../../src/modules/proposals/infrastructure/expiry-job';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft, eventsOf, LINES, pathOf, send, sent, typesOf, visitor } from './support';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const path = ({ id }: { id: string }, action = '') => `/v1/proposals/${id}${action && `/${action}`}`;
const leadOf = async ({ leadId }: { leadId: string }) => (await client.get(`/v1/leads/${leadId}`)).body;

describe('a draft', () => {
  test('has its sums worked out, in the workspace’s currency, and a number', async () => {
    const { id: leadId } = await createLead(client, { guests: 120 });
    const answer = await client.post('/v1/proposals', {
      leadId,
      title: 'Wedding',
      lineItems: LINES,
      deposit: { percent: 30, dueDate: '2027-02-01' },
      validUntil: '2027-03-01',
      notes: 'Terms\nand more',
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.location).toBe(`/v1/proposals/${id}`);
    const nothing = { publicUrl: null, sentAt: null, viewedAt: null, acceptedAt: null, declinedAt: null };
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^prop_/),
      leadId,
      number: 1,
      version: 1,
      previousVersionId: null,
      title: 'Wedding',
      status: 'draft',
      currency: 'EUR',
      lineItems: [
        { ...LINES[0], quantity: 120, group: null, amount: 1_020_000, taxAmount: 102_000 },
        { ...LINES[1], quantity: 1, group: null, amount: 250_000, taxAmount: 52_500 },
      ],
      subtotal: 1_270_000,
      taxTotal: 154_500,
      total: 1_424_500,
      deposit: { amount: 427_350, percent: 30, dueDate: '2027-02-01' },
      notes: 'Terms\nand more',
      ...{ message: null, sections: [], coverImage: null, terms: null, contact: null, preparedFor: null },
      validUntil: '2027-03-01',
      ...nothing,
      ...{ expiredAt: null, withdrawnAt: null, acceptance: null, declineReason: null, archivedAt: null },
      createdAt: clock.in(0),
      updatedAt: clock.in(0),
      revision: 1,
    });
    expect((await client.get(path(answer.body))).text).toBe(answer.text);
    expect((await leadOf(answer.body)).stage).toBe('new_enquiry');
  });

  test('can be changed: the given fields alone, and nothing when nothing differs', async () => {
    const before = await draft(client, { deposit: { percent: 30 } });
    clock.advance(60);
    expect((await client.patch(path(before), {})).body).toEqual(before);
    expect((await client.patch(path(before), { title: 'Wedding', lineItems: LINES })).body).toEqual(before);
    expect(await typesOf(client, before.id)).toEqual(['proposal.created']);
    const changed = (await client.patch(path(before), { lineItems: [LINES[1]], notes: 'Hello' })).body;
    expect(changed).toMatchObject({
      title: 'Wedding',
      total: 302_500,
      notes: 'Hello',
      updatedAt: clock.in(0),
    });
    expect(changed.deposit.amount).toBe(90_750);
    const [, event] = await eventsOf(client, before.id);
    expect(event).toMatchObject({ type: 'proposal.updated', data: changed });
    expect(event.previous).toEqual({
      lineItems: before.lineItems,
      subtotal: before.subtotal,
      taxTotal: before.taxTotal,
      total: before.total,
      deposit: before.deposit,
      notes: null,
      updatedAt: before.updatedAt,
      revision: 1,
    });
    const cleared = (await client.patch(path(before), { lineItems: null, deposit: null, notes: null })).body;
    expect(cleared).toMatchObject({ lineItems: [], total: 0, deposit: null, notes: null });
  });

  const line = LINES[1]!;
  test.each<[string, object]>([
    ['leadId', { leadId: newId('lead') }],
    ['leadId', { leadId: 'lead_x' }],
    ['leadId', { leadId: newId('prop') }],
    ['title', { title: ' ' }],
    ['currency', { currency: 'eur' }],
    ['currency', { currency: 'HRK' }],
    ['lineItems', { lineItems: {} }],
    ['lineItems', { lineItems: ['Hall'] }],
    ['lineItems', { lineItems: [null] }],
    ['lineItems', { lineItems: Array.from({ length: 101 }, () => line) }],
    ['lineItems', { lineItems: [{ ...line, unitAmount: -1 }] }],
    ['lineItems[0].description', { lineItems: [{ ...line, description: '' }] }],
    ['lineItems[1].unitAmount', { lineItems: [line, { ...line, unitAmount: 0.5 }] }],
    ['lineItems[0].unitAmount', { lineItems: [{ ...line, unitAmount: '5' }] }],
    ['lineItems[0].unit', { lineItems: [{ ...line, unit: 'each' }] }],
    ['lineItems[0].quantity', { lineItems: [{ ...line, quantity: 0.0001 }] }],
    ['lineItems[0].quantity', { lineItems: [{ ...line, quantity: -1 }] }],
    ['lineItems[0].taxRate', { lineItems: [{ ...line, taxRate: 100.001 }] }],
    ['lineItems[0].price', { lineItems: [{ ...line, price: 1 }] }],
    ['deposit', { deposit: 5 }],
    ['deposit', { deposit: [] }],
    ['deposit.amount', { deposit: {} }],
    ['deposit.amount', { deposit: { amount: 10 ** 9 } }],
    ['deposit.percent', { deposit: { percent: 101 } }],
    ['deposit.percent', { deposit: { percent: 5, amount: 5 } }],
    ['deposit.dueDate', { deposit: { percent: 5, dueDate: '2027-02-30' } }],
    ['deposit.due', { deposit: { percent: 5, due: '2027-02-01' } }],
    ['validUntil', { validUntil: '2027-02-30' }],
    ['notes', { notes: 'x'.repeat(10_001) }],
    ['total', { total: 5 }],
    ['status', { status: 'sent' }],
  ])('with a wrong %s is refused: %j', async (field, fields) => {
    const { id: leadId } = await createLead(client, { guests: 120 });
    const body = { leadId, title: 'Wedding', lineItems: [line], ...fields };
    expectInvalid(await client.post('/v1/proposals', body), field);
    expect((await client.get('/v1/proposals')).body.pagination.total).toBe(0);
  });

  test('per guest, for a lead of whom nobody knows how many come, needs a quantity', async () => {
    const { id: leadId } = await createLead(client);
    const body = { leadId, title: 'Wedding', lineItems: LINES };
    expectInvalid(await client.post('/v1/proposals', body), 'lineItems[0].quantity');
  });

  test('isn’t made for a lead that is archived', async () => {
    const { id: leadId } = await createLead(client);
    await client.delete(`/v1/leads/${leadId}`);
    expectInvalid(await client.post('/v1/proposals', { leadId, title: 'Wedding' }), 'leadId');
  });

  test('needs a title and a lead', async () => {
    expectInvalid(await client.post('/v1/proposals', {}), 'leadId');
  });
});

describe('sending', () => {
  test('opens the client’s page and moves the lead on, with an event of each', async () => {
    const before = await draft(client, { validUntil: '2027-01-15' });
    clock.advance(60);
    const after = await send(client, before.id);
    const preparedFor = { name: null, eventDate: null, guests: 120, spaces: [] };
    const changes = { status: 'sent', sentAt: clock.in(0), updatedAt: clock.in(0), revision: 2, preparedFor };
    expect(after).toEqual({ ...before, ...changes, publicUrl: after.publicUrl });
    expect(after.publicUrl).toMatch(/^http:\/\/localhost:3000\/proposals\/[\w-]{43}$/);
    expect(await typesOf(client, before.id)).toEqual(['proposal.created', 'proposal.sent']);
    expect((await leadOf(before)).stage).toBe('proposal_sent');
    expect(await typesOf(client, before.leadId)).toEqual([
      'lead.created',
      'lead.updated',
      'lead.stage_changed',
    ]);
  });

  test('is refused without lines, after its last day, and twice', async () => {
    const empty = await draft(client, { lineItems: null });
    expectInvalid(await client.post(path(empty, 'send')), 'lineItems');
    const late = await draft(client, { validUntil: '2027-01-14' });
    expectInvalid(await client.post(path(late, 'send')), 'validUntil');
    const once = await sent(client);
    expectInvalid(await client.post(path(once, 'send')), 'status');
    expect((await leadOf(empty)).stage).toBe('new_enquiry');
  });

  test('makes it immutable', async () => {
    const before = await sent(client);
    expectInvalid(await client.patch(path(before), { title: 'Other' }), 'status');
    expect((await client.get(path(before))).body).toEqual(before);
  });
});

describe('another version', () => {
  test('keeps number and content, and takes the place of the one before once it is sent', async () => {
    const first = await sent(client);
    const answer = await client.post(path(first, 'revise'));
    expect(answer.status).toBe(201);
    const second = answer.body;
    expect(answer.headers.location).toBe(path(second));
    expect(second).toMatchObject({ number: first.number, version: 2, previousVersionId: first.id });
    expect(second).toMatchObject({ status: 'draft', lineItems: first.lineItems, total: first.total });
    expect((await client.get(path(first))).body.status).toBe('sent');
    expectInvalid(await client.post(path(first, 'revise')), 'version');
    await send(client, second.id);
    expect((await client.get(path(first))).body.status).toBe('withdrawn');
    expect(await typesOf(client, first.id)).toEqual([
      'proposal.created',
      'proposal.sent',
      'proposal.updated',
    ]);
    expect((await visitor(gala.baseUrl).get(pathOf(first))).text).toContain('withdrawn or replaced');
  });

  test('of a draft isn’t needed', async () => {
    expectInvalid(await client.post(path(await draft(client), 'revise')), 'status');
  });
});

describe('withdrawing, archiving and restoring', () => {
  test('ends the offer; twice is the same', async () => {
    const offer = await sent(client);
    clock.advance(60);
    const answer = await client.post(path(offer, 'withdraw'));
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 200,
      body: { status: 'withdrawn', withdrawnAt: clock.in(0) },
    });
    clock.advance(60);
    expect((await client.post(path(offer, 'withdraw'))).body).toEqual(answer.body);
    expectInvalid(await client.post(path(await draft(client), 'withdraw')), 'status');
  });

  test('an archived proposal is left out of lists, can be read, and not changed until it is restored', async () => {
    const before = await draft(client);
    clock.advance(60);
    const archived = (await client.delete(path(before))).body;
    expect(archived).toEqual({ ...before, archivedAt: clock.in(0), updatedAt: clock.in(0), revision: 2 });
    expect((await client.delete(path(before))).body).toEqual(archived);
    const idsIn = async (query = '') =>
      (await client.get(`/v1/proposals${query}`)).body.data.map(({ id }: any) => id);
    expect(await idsIn()).toEqual([]);
    expect(await idsIn('?archived=true')).toEqual([before.id]);
    expect((await client.get(path(before))).body).toEqual(archived);
    expectInvalid(await client.patch(path(before), { title: 'Other' }), 'archivedAt');
    expectInvalid(await client.post(path(before, 'send')), 'archivedAt');
    clock.advance(60);
    const restored = (await client.post(path(before, 'restore'))).body;
    expect(restored).toEqual({ ...before, updatedAt: clock.in(0), revision: 3 });
    expect(await idsIn()).toEqual([before.id]);
  });

  test('archiving an open offer takes it back', async () => {
    const offer = await sent(client);
    expect((await client.delete(path(offer))).body.status).toBe('withdrawn');
    expect((await visitor(gala.baseUrl).get(pathOf(offer))).text).toContain('withdrawn or replaced');
  });
});

describe('numbers', () => {
  test('have no gaps, however many are made and refused at once, per workspace and mode', async () => {
    const { id: leadId } = await createLead(client, { guests: 2 });
    const bodies = Array.from({ length: 40 }, (_, index) => ({
      leadId,
      title: index % 4 === 0 ? '' : 'Party',
      ...(index % 4 === 1 && { lineItems: [{ ...LINES[0], unitAmount: -1 }] }),
    }));
    const answers = await Promise.all(bodies.map((body) => client.post('/v1/proposals', body)));
    const numbers = answers.filter(({ status }) => status === 201).map(({ body }) => body.number);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect((await draft(await workspace.client('test'))).number).toBe(1);
  });
});

describe('expiry', () => {
  const expireAll = () => gala.app.get(ExpiryJob, { strict: false }).expireAll();

  test('comes when the last day is over where the workspace is, once', async () => {
    const offer = await sent(client, { validUntil: '2027-01-16' });
    const open = await sent(client, { validUntil: '2027-01-17' });
    clock.advance((Date.parse('2027-01-16T22:59:59Z') - Date.parse(clock.in(0))) / 1000);
    await expireAll();
    expect((await client.get(path(offer))).body.status).toBe('sent');
    clock.advance(1);
    await Promise.all([expireAll(), expireAll()]);
    const after = (await client.get(path(offer))).body;
    expect(after).toMatchObject({ status: 'expired', expiredAt: clock.in(0) });
    expect(await typesOf(client, offer.id)).toEqual([
      'proposal.created',
      'proposal.sent',
      'proposal.expired',
    ]);
    expect((await client.get(path(open))).body.status).toBe('sent');
    expect((await visitor(gala.baseUrl).get(pathOf(offer))).text).toContain('was valid until');
  });
});

describe('lists', () => {
  test('go by lead and by status, page by page and cursor by cursor', async () => {
    const offers = [await draft(client), await sent(client), await sent(client)];
    const { id: leadId } = await createLead(client);
    const get = async (query: string) => (await client.get(`/v1/proposals?${query}`)).body;
    const ids = (body: any) => body.data.map(({ id }: any) => id);
    expect(ids(await get(''))).toEqual(offers.map(({ id }) => id).reverse());
    expect(ids(await get('sort=createdAt'))).toEqual(offers.map(({ id }) => id));
    expect(ids(await get(`leadId=${offers[0].leadId}`))).toEqual([offers[0].id]);
    for (const none of [leadId, newId('lead'), 'lead_x'])
      expect(ids(await get(`leadId=${none}`))).toEqual([]);
    expect((await get('status=sent')).pagination.total).toBe(2);
    const first = await get('status=sent&limit=1');
    const second = await get(`status=sent&limit=1&cursor=${first.pagination.nextCursor}`);
    expect([...ids(first), ...ids(second)]).toEqual([offers[2].id, offers[1].id]);
    expect(second.pagination.nextCursor).toBeNull();
    expect(ids(await get('limit=1&page=3'))).toEqual([offers[0].id]);
  });

  test.each(['status=open', 'status=', 'leadId=', 'archived=yes', 'sort=title', 'colour=red', 'page=0'])(
    'refuse %s',
    async (query) => {
      expectInvalid(await client.get(`/v1/proposals?${query}`), query.split('=')[0]!);
    },
  );
});

describe('others', () => {
  test('see, change and list nothing of it', async () => {
    const offer = await sent(client);
    const strangers = [await workspace.client('test'), await (await gala.createWorkspace()).client()];
    for (const stranger of strangers) {
      for (const call of [
        stranger.get(path(offer)),
        stranger.patch(path(offer), { title: 'Mine' }),
        stranger.delete(path(offer)),
        ...['send', 'revise', 'withdraw', 'rotate-link', 'restore'].map((action) =>
          stranger.post(path(offer, action)),
        ),
      ])
        expectNotFound(await call);
      expect((await stranger.get('/v1/proposals')).body.data).toEqual([]);
      const body = { leadId: offer.leadId, title: 'Mine' };
      expectInvalid(await stranger.post('/v1/proposals', body), 'leadId');
    }
    expect((await client.get(path(offer))).body).toEqual(offer);
  });

  test('need the scope', async () => {
    const offer = await draft(client);
    const reader = await workspace.client('live', ['proposals:read']);
    expect((await reader.get(path(offer))).status).toBe(200);
    expectForbidden(await reader.post(path(offer, 'send')));
    expectForbidden(await (await workspace.client('live', ['leads:read'])).get(path(offer)));
  });
});
