import { newId } from '../../src/kernel/ids';
import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const FULL = {
  name: 'Ana Pérez',
  email: 'ana@example.com',
  phone: '+34600123456',
  eventDate: '2027-06-12',
  guests: 120,
  source: 'website',
  stage: 'contacted',
  tags: ['vip', 'garden'],
};
const CHANGED = {
  name: 'Eva',
  email: 'Eva@example.com',
  phone: '+442079460958',
  eventDate: '2028-02-29',
  guests: 1,
  source: 'fair',
  stage: 'visit_booked',
  tags: ['new'],
};
const FIELDS = Object.keys(FULL) as (keyof typeof FULL)[];

let lead: LeadBody;
beforeEach(async () => {
  lead = await createLead(client, FULL);
  clock.advance(60);
});
const patch = (body: unknown) => client.patch(`/v1/leads/${lead.id}`, body);
const stored = async () => (await client.get(`/v1/leads/${lead.id}`)).body;

/** What one change does beside what it is asked for. */
const once = () => ({ updatedAt: clock.in(0) });

describe('changing fields', () => {
  test.each(FIELDS)('%s alone changes, with updatedAt', async (field) => {
    const answer = await patch({ [field]: CHANGED[field] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...lead, [field]: CHANGED[field], ...once() });
    expect(await stored()).toEqual(answer.body);
  });

  test('all fields at once', async () => {
    expect((await patch(CHANGED)).body).toEqual({ ...lead, ...CHANGED, ...once() });
  });

  test.each(['name', 'phone', 'eventDate', 'guests', 'source'] as const)('null clears %s', async (field) => {
    const { status, body } = await patch({ [field]: null });
    expect(status).toBe(200);
    expect(body).toEqual({ ...lead, [field]: null, ...once() });
    expect(await stored()).toEqual(body);
  });

  test.each([[null], [[]]])('tags %j leaves none', async (tags) => {
    expect((await patch({ tags })).body).toEqual({ ...lead, tags: [], ...once() });
  });

  test('tags replace all former ones; duplicates are dropped', async () => {
    expect((await patch({ tags: ['b', 'a', 'b'] })).body.tags).toEqual(['b', 'a']);
  });

  test('a phone number is normalised', async () => {
    expect((await patch({ phone: '+44 (20) 7946-0958' })).body.phone).toBe('+442079460958');
  });

  test('the case of an e-mail address may change', async () => {
    expect((await patch({ email: 'ANA@example.com' })).body).toMatchObject({
      email: 'ANA@example.com',
      updatedAt: clock.in(0),
    });
  });

  test('any stage may follow any', async () => {
    for (const stage of ['lost', 'new_enquiry', 'completed', 'proposal_sent', 'negotiation', 'confirmed']) {
      expect((await patch({ stage })).body.stage).toBe(stage);
    }
  });

  test('updatedAt goes on with every change, even when the clock goes back', async () => {
    const { updatedAt } = (await patch({ guests: 2 })).body;
    clock.advance(-30);
    const next = new Date(Date.parse(updatedAt) + 1).toISOString();
    expect((await patch({ guests: 3 })).body).toMatchObject({ guests: 3, updatedAt: next });
    clock.advance(30);
  });
});

describe('changing nothing', () => {
  test('an empty body is a 200 that leaves updatedAt alone', async () => {
    const answer = await patch({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(lead);
    expect(await stored()).toEqual(lead);
  });

  test.each([
    ...FIELDS.map((field) => ({ [field]: FULL[field] })),
    FULL,
    { phone: '+34 600 123 456' },
    { tags: ['vip', 'vip', 'garden'] },
  ])('values that are there already: %j', async (body) => {
    expect((await patch(body)).body).toEqual(lead);
    expect(await stored()).toEqual(lead);
  });

  test('null where there was nothing', async () => {
    const bare = await createLead(client);
    clock.advance(60);
    const nulls = { name: null, phone: null, eventDate: null, guests: null, source: null, tags: null };
    expect((await client.patch(`/v1/leads/${bare.id}`, nulls)).body).toEqual(bare);
  });

  test('the same tags in another order are a change', async () => {
    expect((await patch({ tags: ['garden', 'vip'] })).body).toMatchObject({
      tags: ['garden', 'vip'],
      updatedAt: clock.in(0),
    });
  });
});

describe('refusals change nothing', () => {
  afterEach(async () => expect(await stored()).toEqual(lead));

  test.each([
    ['stage', null],
    ['stage', ''],
    ['stage', 'won'],
    ['stage', 1],
    ['email', null],
    ['email', ''],
    ['email', 'nowhere'],
    ['name', ''],
    ['name', 5],
    ['name', 'x'.repeat(201)],
    ['phone', ''],
    ['phone', '4155552671'],
    ['eventDate', '2027-02-29'],
    ['eventDate', ''],
    ['guests', 0],
    ['guests', '12'],
    ['guests', 100_001],
    ['source', ' '],
    ['source', 'x'.repeat(101)],
    ['tags', 'vip'],
    ['tags', [null]],
    ['tags', Array.from({ length: 51 }, (_, index) => `${index}`)],
  ])('%s: %j', async (field, value) => expectInvalid(await patch({ [field]: value }), field));

  test.each(['id', 'createdAt', 'updatedAt', 'archivedAt', 'workspaceId', 'mode', 'colour'])(
    'the field %s is not the client’s to change',
    async (field) => expectInvalid(await patch({ [field]: null }), field),
  );

  test('one wrong field keeps the right ones from being written', async () => {
    const answer = await patch({ name: 'Eva', guests: 0, stage: null, email: 'nowhere' });
    expectInvalid(answer, 'email');
    expect(answer.body.error.details).toHaveLength(3);
  });

  test.each(['[]', 'null', '"text"', '5', '', '{"stage":"lost",}', '{"stage"'])(
    'the body %j is a bad request',
    async (body) => {
      const answer = await patch(body);
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({
        status: 400,
        code: 'bad_request',
      });
      expect(answer.body.error).not.toHaveProperty('field');
    },
  );

  test('a key without leads:write', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.patch(`/v1/leads/${lead.id}`, { name: 'Eva' }));
  });

  test('parameters in the address', async () => {
    expectInvalid(await client.patch(`/v1/leads/${lead.id}?stage=lost`, { name: 'Eva' }), 'stage');
  });
});

describe('an archived lead', () => {
  test('is refused by the name of archivedAt until it is restored', async () => {
    const archived = (await client.delete(`/v1/leads/${lead.id}`)).body;
    expectInvalid(await patch({ name: 'Eva' }), 'archivedAt');
    expectInvalid(await patch({ name: lead.name }), 'archivedAt');
    expect(await stored()).toEqual(archived);
    await client.post(`/v1/leads/${lead.id}/restore`);
    expect((await patch({ name: 'Eva' })).body).toMatchObject({ name: 'Eva', archivedAt: null });
  });

  test('what the request itself shows to be wrong is told first', async () => {
    await client.delete(`/v1/leads/${lead.id}`);
    expectInvalid(await patch({ guests: 0 }), 'guests');
  });
});

describe('a lead that is not there', () => {
  test('is not found, but a wrong body is told first', async () => {
    expectNotFound(await client.patch(`/v1/leads/${newId('lead')}`, { name: 'Eva' }));
    expectNotFound(await client.patch(`/v1/leads/${newId('lead')}`, {}));
    expectInvalid(await client.patch(`/v1/leads/${newId('lead')}`, { guests: 0 }), 'guests');
  });
});
