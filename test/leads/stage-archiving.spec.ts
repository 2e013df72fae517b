import { type LeadId, toUuid } from '../../src/kernel/ids';
import { EmptyArchivedStages } from '../../src/modules/leads/application/empty-archived-stages';
import { allEvents, eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { addStage, emptyArchivedStages, stageOf } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(120_000);

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  await emptyArchivedStages(gala);
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const archive = (key: string, moveTo?: string) => client.post(`/v1/stages/${key}/archive`, { moveTo });
const events = async (type: string) =>
  (await allEvents(gala, workspace.id)).filter((event) => event.type === type);

test('an empty stage is archived at once', async () => {
  const stage = await addStage(client, 'tasting');
  const { status, body } = await client.post('/v1/stages/tasting/archive');
  expect(status).toBe(200);
  expect(body).toEqual({ ...stage, archivedAt: expect.any(String) });
  expect((await archive('tasting', 'lost')).body).toEqual(body);
  expect((await events('stage.archived')).map(({ data, previous }) => [data, previous])).toEqual([
    [body, { archivedAt: null }],
  ]);
  expect(await emptyArchivedStages(gala)).toEqual([]);
});

test('leads at it, archived ones too, need a place to move to', async () => {
  await addStage(client, 'tasting');
  const [first, second] = [
    await createLead(client, { stage: 'tasting' }),
    await createLead(client, { stage: 'tasting' }),
  ];
  await client.delete(`/v1/leads/${first.id}`);
  await client.delete(`/v1/leads/${second.id}`);
  const refused = await archive('tasting');
  expectInvalid(refused, 'moveTo');
  expect(refused.body.error.message).toContain('2 leads');
  await addStage(client, 'gone');
  await archive('gone');
  for (const moveTo of ['nowhere', 'tasting', 'gone'])
    expectInvalid(await archive('tasting', moveTo), 'moveTo');
  expect((await stageOf(client, 'tasting')).archivedAt).toBeNull();
});

test('workspaces take turns: none waits for all leads of another one', async () => {
  const others = await gala.createWorkspace();
  const other = await others.client();
  await addStage(client, 'tasting');
  await addStage(other, 'tasting');
  const { id } = await createLead(client, { stage: 'tasting' });
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, email, stage, tags, search_text, created_at, updated_at)
     SELECT workspace_id, mode, gen_random_uuid(), email, stage, tags, search_text, created_at, updated_at
     FROM leads, generate_series(1, 1500) WHERE id = $1`,
    [toUuid(id as LeadId)],
  );
  await createLead(other, { stage: 'tasting' });
  await archive('tasting', 'contacted');
  await other.post('/v1/stages/tasting/archive', { moveTo: 'contacted' });
  const step = () => gala.app.get(EmptyArchivedStages, { strict: false }).execute();
  expect(await step()).toBeGreaterThan(0);
  expect(await step()).toBeGreaterThan(0);
  const left = async (of: Client) => (await list(of, { stage: 'tasting' })).body.pagination.total;
  expect([await left(client), await left(other)]).toEqual([1001, 0]);
});

test('its leads move in the background, each with its events', async () => {
  await addStage(client, 'tasting', { outcome: 'won' });
  const open = await createLead(client, { stage: 'tasting', name: 'Open' });
  const archived = await createLead(client, { stage: 'tasting', name: 'Archived' });
  await client.delete(`/v1/leads/${archived.id}`);
  const { body } = await archive('tasting', 'negotiation');
  expect(body).toMatchObject({ leads: 2, moving: { to: 'negotiation', left: 2 } });
  expect(await stageOf(client, 'tasting')).toEqual(body);
  expect((await list(client, { outcome: 'won' })).body.pagination.total).toBe(1);
  expect(await emptyArchivedStages(gala)).toEqual([2, 1]);
  const emptied = await stageOf(client, 'tasting');
  expect(emptied).toMatchObject({ leads: 0, moving: null });
  expect((await events('stage.updated')).map(({ data, previous }) => [data, previous])).toEqual([
    [emptied, { moving: { to: 'negotiation', left: 0 } }],
  ]);
  for (const [lead, type] of [
    [open, 'lead.created'],
    [archived, 'lead.archived'],
  ] as const) {
    const moved = (await client.get(`/v1/leads/${lead.id}`)).body;
    expect(moved).toMatchObject({ stage: 'negotiation', outcome: 'open' });
    expect(moved.updatedAt > lead.updatedAt).toBe(true);
    const told = await eventsOf(gala, lead.id);
    expect(told.map((event) => event.type)).toEqual([
      ...(type === 'lead.created' ? ['lead.created'] : ['lead.created', 'lead.archived']),
      'lead.updated',
      'lead.stage_changed',
    ]);
    expect(told.at(-1)).toMatchObject({ data: moved, previous: { stage: 'tasting' } });
  }
  expect(await emptyArchivedStages(gala)).toEqual([]);
});

test('moves as many at a time as a transaction holds', async () => {
  await addStage(client, 'tasting');
  await createLead(client, { stage: 'tasting' });
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, email, stage, tags, created_at, updated_at, search_text)
     SELECT workspace_id, mode, gen_random_uuid(), 'lead' || n || '@example.com', stage, tags, created_at, updated_at, ''
     FROM leads, generate_series(1, 1200) AS n WHERE stage = 'tasting'`,
  );
  await archive('tasting', 'contacted');
  expect(await emptyArchivedStages(gala)).toEqual([500, 500, 201, 1]);
  expect(await events('lead.stage_changed')).toHaveLength(1201);
  expect(await stageOf(client, 'contacted')).toMatchObject({ leads: 1201 });
});

test('two instances share the work without a lead moving twice', async () => {
  await addStage(client, 'tasting');
  await createLead(client, { stage: 'tasting' });
  await createLead(client, { stage: 'tasting' });
  await archive('tasting', 'contacted');
  await Promise.all([emptyArchivedStages(gala), emptyArchivedStages(gala)]);
  expect(await events('lead.stage_changed')).toHaveLength(2);
});

test('a stage that leads are moving to can’t be archived itself', async () => {
  await addStage(client, 'first');
  await addStage(client, 'second');
  await createLead(client, { stage: 'first' });
  await archive('first', 'second');
  expectInvalid(await archive('second', 'lost'), 'key');
  await emptyArchivedStages(gala);
  expect((await archive('second', 'lost')).status).toBe(200);
});

test('built-in stages stay', async () => {
  expectInvalid(await archive('contacted'), 'key');
  expectInvalid(await archive('contacted', 'lost'), 'key');
});

test('restored, it comes last, and the leads that are left stay', async () => {
  await addStage(client, 'tasting');
  await addStage(client, 'later');
  const lead = await createLead(client, { stage: 'tasting' });
  await archive('tasting', 'contacted');
  const { body } = await client.post('/v1/stages/tasting/restore');
  expect(body).toMatchObject({ archivedAt: null, moving: null, leads: 1, position: 11 });
  expect((await client.post('/v1/stages/tasting/restore')).body).toEqual(body);
  expect(await emptyArchivedStages(gala)).toEqual([]);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe('tasting');
  expect((await events('stage.restored'))[0]!.previous).toMatchObject({ position: 9 });
});

test('required fields and allowed stages don’t hold up leads that are moved', async () => {
  await addStage(client, 'strict', { allowedFrom: ['lost'], requiredFields: ['guests'] });
  await addStage(client, 'tasting');
  const lead = await createLead(client, { stage: 'tasting' });
  await archive('tasting', 'strict');
  await emptyArchivedStages(gala);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe('strict');
});

test('a lead that enters while its stage is archived is counted or refused', async () => {
  for (let round = 0; round < 10; round++) {
    const key = `round_${round}`;
    await addStage(client, key);
    const leads = await Promise.all([1, 2, 3, 4, 5, 6].map(() => createLead(client)));
    const [archived, ...entered] = await Promise.all([
      archive(key, 'negotiation'),
      ...leads.map(({ id }) => client.patch(`/v1/leads/${id}`, { stage: key })),
    ]);
    expect(archived.status).toBe(200);
    const inside = entered.filter(({ status }) => status === 200).length;
    expect(entered.filter(({ status }) => status === 422)).toHaveLength(6 - inside);
    expect(archived.body.leads).toBe(inside);
    await emptyArchivedStages(gala);
    expect(await stageOf(client, key)).toMatchObject({ leads: 0, moving: null });
  }
});
