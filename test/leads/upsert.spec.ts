import { eventsOf } from '../support/events';
import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectForbidden, expectInvalid } from '../support/refusals';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));

const upsert = (matchBy: string, fields: object): Promise<Answer> =>
  client.post('/v1/leads/upsert', { matchBy, ...fields });
const read = async (id: string): Promise<LeadBody> => (await client.get(`/v1/leads/${id}`)).body;

describe('a lead that doesn’t match', () => {
  test('is created: 201, where it is, and the event of a new lead', async () => {
    const answer = await upsert('externalId', { externalId: 'crm-1', email: 'ana@example.com', guests: 20 });
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(`/v1/leads/${answer.body.id}`);
    expect(answer.headers.etag).toBe('"1"');
    expect(answer.body).toMatchObject({ externalId: 'crm-1', guests: 20, stage: 'new_enquiry' });
    expect(await read(answer.body.id)).toEqual(answer.body);
    expect((await eventsOf(gala, answer.body.id)).map(({ type }) => type)).toEqual(['lead.created']);
  });

  test('needs an address', async () => {
    expectInvalid(await upsert('externalId', { externalId: 'crm-1', name: 'Ana' }), 'email');
    expect((await list(client)).body.data).toEqual([]);
  });

  test('takes null for fields that it doesn’t have', async () => {
    const fields = { email: 'ana@example.com', name: null, phone: null, tags: null, ownerId: null };
    expect(await upsert('email', fields)).toMatchObject({ status: 201, body: { name: null, tags: [] } });
  });
});

describe('a lead that matches', () => {
  test.each([
    ['externalId', { externalId: 'crm-1' }],
    ['email', { email: 'ANA@example.com' }],
    ['phone', { phone: '+34 600 12-34 56' }],
  ])('by %s is changed: 200, the given fields alone, and null clears', async (matchBy, match) => {
    const lead = await createLead(client, {
      externalId: 'crm-1',
      phone: '+34600123456',
      name: 'Ana',
      guests: 20,
      tags: ['vip'],
    });
    const answer = await upsert(matchBy, { ...match, name: null, source: 'fair', stage: 'contacted' });
    expect(answer.status).toBe(200);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers.etag).toBe('"2"');
    expect(answer.body).toEqual({
      ...lead,
      ...('email' in match && match),
      name: null,
      source: 'fair',
      stage: 'contacted',
      updatedAt: answer.body.updatedAt,
    });
    expect((await eventsOf(gala, lead.id)).map(({ type }) => type)).toEqual([
      'lead.created',
      'lead.updated',
      'lead.stage_changed',
    ]);
  });

  test('stays as it is if nothing differs', async () => {
    const lead = await createLead(client, { externalId: 'crm-1', name: 'Ana' });
    const answer = await upsert('externalId', { externalId: 'crm-1', name: 'Ana' });
    expect([answer.status, answer.body]).toEqual([200, lead]);
    expect(await eventsOf(gala, lead.id)).toHaveLength(1);
  });

  test('is filled: what it has stays, and its stage only moves forward', async () => {
    const lead = await createLead(client, { externalId: 'crm-1', name: 'Ana', stage: 'visit_booked' });
    const fields = { externalId: 'crm-1', onExisting: 'fill', name: 'Eva', guests: 20 };
    expect((await upsert('externalId', { ...fields, stage: 'contacted', source: null })).body).toMatchObject({
      name: 'Ana',
      guests: 20,
      stage: 'visit_booked',
      email: lead.email,
    });
    expect((await upsert('externalId', { ...fields, stage: 'negotiation' })).body).toMatchObject({
      stage: 'negotiation',
    });
  });

  test('is filled by the order of the workspace’s own stages', async () => {
    const order = [
      'new_enquiry',
      'negotiation',
      'visit_booked',
      'contacted',
      'proposal_sent',
      'confirmed',
      'completed',
      'lost',
    ];
    expect((await client.request('PUT', '/v1/stages/order', { keys: order })).status).toBe(200);
    await createLead(client, { stage: 'visit_booked' });
    const fill = (stage: string) => upsert('email', { email: 'ana@example.com', onExisting: 'fill', stage });
    expect((await fill('negotiation')).body.stage).toBe('visit_booked');
    expect((await fill('contacted')).body.stage).toBe('contacted');
  });

  test('in another workspace or mode is another one', async () => {
    const lead = await createLead(client, { externalId: 'crm-1' });
    const fields = { matchBy: 'externalId', externalId: 'crm-1', email: 'eva@example.com' };
    const strangers = [await workspace.client('test'), await (await gala.createWorkspace()).client()];
    for (const stranger of strangers)
      expect((await stranger.post('/v1/leads/upsert', fields)).status).toBe(201);
    expect(await read(lead.id)).toEqual(lead);
  });
});

describe('several leads that match', () => {
  const several = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.unshift((await createLead(client, { name: `Ana ${ids.length}` })).id);
    return ids;
  };

  test('are named, at most ten of them, newest first, and none is changed', async () => {
    const ids = await several(12);
    const answer = await upsert('email', { email: 'ana@example.com', guests: 20 });
    expectInvalid(answer, 'matchBy');
    const named = (answer.body.error.message as string).match(/lead_[0-9a-z]{26}/g);
    expect(named).toEqual(ids.slice(0, 10));
    expect((await list(client)).body.data.map(({ guests }: LeadBody) => guests)).toEqual(
      Array(12).fill(null),
    );
  });

  test('the newest is changed if that is wanted', async () => {
    const [newest] = await several(3);
    const answer = await upsert('email', { email: 'ana@example.com', guests: 20, onMultiple: 'newest' });
    expect(answer).toMatchObject({ status: 200, body: { id: newest, guests: 20 } });
  });

  test('archived ones don’t count', async () => {
    const [newest, second] = await several(2);
    await client.delete(`/v1/leads/${newest}`);
    expect(await upsert('email', { email: 'ana@example.com' })).toMatchObject({ body: { id: second } });
    await client.delete(`/v1/leads/${second}`);
    expect((await upsert('email', { email: 'ana@example.com' })).status).toBe(201);
  });
});

test('an archived lead is found by its external id alone, and isn’t changed', async () => {
  const lead = await createLead(client, { externalId: 'crm-1', phone: '+34600123456' });
  await client.delete(`/v1/leads/${lead.id}`);
  for (const onExisting of ['overwrite', 'fill']) {
    const fields = { externalId: 'crm-1', name: 'Ana', onExisting };
    expectInvalid(await upsert('externalId', fields), 'archivedAt');
  }
  expect((await upsert('phone', { phone: '+34600123456', email: 'ana@example.com' })).status).toBe(201);
});

test('an external id that another lead has is refused', async () => {
  const [one, other] = [
    await createLead(client, { externalId: 'one' }),
    await createLead(client, { email: 'eva@example.com' }),
  ];
  const answer = await upsert('email', { email: 'eva@example.com', externalId: 'one' });
  expectInvalid(answer, 'externalId');
  expect(answer.body.error.message).toContain(one.id);
  expect(await read(other.id)).toEqual(other);
});

describe('what is refused', () => {
  test.each([
    ['nothing to match by', { email: 'ana@example.com' }, 'matchBy'],
    ['an unknown field to match by', { matchBy: 'name', email: 'ana@example.com' }, 'matchBy'],
    ['no value to match by', { matchBy: 'phone', email: 'ana@example.com' }, 'phone'],
    ['null to match by', { matchBy: 'externalId', externalId: null }, 'externalId'],
    ['a value that is wrong', { matchBy: 'email', email: 'nobody' }, 'email'],
    ['an unknown option', { matchBy: 'email', email: 'ana@example.com', onExisting: 'merge' }, 'onExisting'],
    ['an unknown stage', { matchBy: 'email', email: 'ana@example.com', stage: 'nowhere' }, 'stage'],
    ['a stage of null', { matchBy: 'email', email: 'ana@example.com', stage: null }, 'stage'],
    [
      'an unknown owner',
      { matchBy: 'email', email: 'ana@example.com', ownerId: 'user_01h455vb4pex5vsknk084sn02q' },
      'ownerId',
    ],
    [
      'an unknown reason',
      {
        matchBy: 'email',
        email: 'ana@example.com',
        stage: 'lost',
        lostReasonId: 'reason_01h455vb4pex5vsknk084sn02q',
      },
      'lostReasonId',
    ],
    ['an unknown field', { matchBy: 'email', email: 'ana@example.com', id: 'lead_1' }, 'id'],
  ])('%s', async (_, body, field) => {
    expectInvalid(await client.post('/v1/leads/upsert', body), field);
    expect((await list(client)).body.data).toEqual([]);
  });

  test('several things are named together, the address first', async () => {
    const answer = await client.post('/v1/leads/upsert', {
      guests: 0,
      email: 'nobody',
      onMultiple: 'all',
      stage: 'nowhere',
    });
    expectInvalid(answer, 'email');
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['email', 'guests', 'matchBy', 'onMultiple', 'stage']);
  });

  test('a key that can’t write leads', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expectForbidden(await reader.post('/v1/leads/upsert', { matchBy: 'email', email: 'ana@example.com' }));
  });
});

test('a request that is sent again gets the same answer, created or not', async () => {
  const send = (key: string, fields: object) =>
    client.post(
      '/v1/leads/upsert',
      { matchBy: 'email', email: 'ana@example.com', ...fields },
      {
        headers: { 'Idempotency-Key': key },
      },
    );
  const created = await send('one', {});
  const updated = await send('two', { name: 'Ana' });
  expect([created.status, updated.status]).toEqual([201, 200]);
  for (const [first, again] of [
    [created, await send('one', {})],
    [updated, await send('two', { name: 'Ana' })],
  ] as const) {
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.location).toBe(first.headers.location);
  }
});

test('many upserts at once of a few addresses make one lead of each', async () => {
  const addresses = ['ana@example.com', 'EVA@example.com'];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      upsert('email', { email: addresses[index % 2], tags: [`tag ${index}`] }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(2);
  expect(statuses.filter((status) => status === 200)).toHaveLength(38);
  expect((await list(client)).body.pagination.total).toBe(2);
});

test('upserts by different fields at once make one lead too', async () => {
  const fields = { email: 'ana@example.com', phone: '+34600123456', externalId: 'crm-1' };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      upsert(['email', 'phone', 'externalId'][index % 3]!, { ...fields, name: `Ana ${index}` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(29).fill(200), 201]);
});

test('an upsert and changes of the lead it finds don’t disturb each other', async () => {
  for (let round = 0; round < 10; round++) {
    const email = `guest${round}@example.com`;
    const lead = await createLead(client, { email, phone: '+34600123456' });
    const [upserted, patched, archived] = await Promise.all([
      upsert('email', { email, source: 'fair' }),
      client.patch(`/v1/leads/${lead.id}`, { guests: 20 }),
      round % 2 ? client.delete(`/v1/leads/${lead.id}`) : undefined,
    ]);
    expect([200, 201]).toContain(upserted.status);
    expect([200, 422]).toContain(patched.status);
    expect([200, undefined]).toContain(archived?.status);
    const after = await read(lead.id);
    if (upserted.status === 200) expect(after.source).toBe('fair');
    else expect(after.archivedAt).not.toBeNull();
    if (patched.status === 200) expect(after.guests).toBe(20);
  }
});
