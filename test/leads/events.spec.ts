import { newId } from '../../src/kernel/ids';
import { idOf } from '../support/api-keys';
import { allEvents, eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { sql } from '../support/sql';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));
const appended = async () =>
  (await allEvents(gala, workspace.id)).filter(({ type }) => type.startsWith('lead.'));

test('creation appends lead.created with the lead as it was answered', async () => {
  const lead = await createLead(client, {
    name: 'Zoë 😀 \u2028 O’Neil',
    eventDate: '2027-06-12',
    tags: ['a'],
  });
  expect(await appended()).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: 'lead.created',
      mode: 'live',
      workspaceId: workspace.id,
      timestamp: lead.createdAt,
      data: lead,
      previous: null,
      cause: { type: 'api_key', id: await idOf(client) },
    },
  ]);
});

test('events carry the mode of the key', async () => {
  await createLead(await workspace.client('test'));
  expect((await appended()).map(({ type, mode }) => [type, mode])).toEqual([['lead.created', 'test']]);
});

test('an update appends lead.updated with the former values of the changed fields alone', async () => {
  const before = await createLead(client, { name: 'Ana', guests: 5, tags: ['a'], source: 'fair' });
  const after = (
    await client.patch(`/v1/leads/${before.id}`, {
      name: 'Eva',
      guests: 5,
      tags: ['b'],
      phone: '+34 600 123 456',
    })
  ).body;
  const [, updated, ...more] = await eventsOf(gala, before.id);
  expect(more).toEqual([]);
  expect(updated).toMatchObject({ type: 'lead.updated', timestamp: after.updatedAt, data: after });
  const { updatedAt, ...previous } = updated!.previous;
  expect(previous).toEqual({ name: 'Ana', tags: ['a'], phone: null });
  expect({ ...after, ...previous, updatedAt }).toEqual(before);
});

test('a change of stage appends lead.updated and lead.stage_changed', async () => {
  const before = await createLead(client);
  const after = (await client.patch(`/v1/leads/${before.id}`, { stage: 'visit_booked', guests: 7 })).body;
  const [, ...events] = await eventsOf(gala, before.id);
  expect(events.map(({ type }) => type)).toEqual(['lead.updated', 'lead.stage_changed']);
  const [updated, moved] = events;
  expect(updated!.data).toEqual(after);
  expect(updated!.previous).toMatchObject({ stage: 'new_enquiry', guests: null });
  expect(moved).toMatchObject({
    data: after,
    previous: { stage: 'new_enquiry' },
    timestamp: after.updatedAt,
  });
  expect(moved!.previous).not.toHaveProperty('guests');
});

test('archiving and restoring append their events with what archivedAt was', async () => {
  const lead = await createLead(client);
  const archived = (await client.delete(`/v1/leads/${lead.id}`)).body;
  const restored = (await client.post(`/v1/leads/${lead.id}/restore`)).body;
  const [, ...events] = await eventsOf(gala, lead.id);
  expect(events).toMatchObject([
    { type: 'lead.archived', data: archived, previous: { archivedAt: null }, timestamp: archived.archivedAt },
    { type: 'lead.restored', data: restored, previous: { archivedAt: archived.archivedAt } },
  ]);
  for (const { previous } of events) {
    expect(Object.keys(previous).filter((field) => !['archivedAt', 'updatedAt'].includes(field))).toEqual([]);
  }
});

test('what changes nothing appends nothing', async () => {
  const lead = await createLead(client, { name: 'Ana', phone: '+34600123456', tags: ['a', 'b'] });
  const path = `/v1/leads/${lead.id}`;
  await client.patch(path, {});
  await client.patch(path, {
    name: 'Ana',
    phone: '+34-600-123-456',
    tags: ['a', 'b', 'a'],
    stage: 'new_enquiry',
  });
  await client.post(`${path}/restore`);
  await client.get(path);
  await list(client);
  await client.delete(path);
  await client.delete(path);
  await client.request('HEAD', path);
  expect((await appended()).map(({ type }) => type)).toEqual(['lead.created', 'lead.archived']);
});

test('what is refused appends nothing', async () => {
  const lead = await createLead(client);
  await client.delete(`/v1/leads/${lead.id}`);
  const before = await appended();
  const reader = await workspace.client('live', ['leads:read']);
  const stranger = await (await gala.createWorkspace()).client();
  const sandbox = await workspace.client('test');
  const answers = [
    await client.post('/v1/leads', {}),
    await client.post('/v1/leads', '{"email"'),
    await client.patch(`/v1/leads/${lead.id}`, { name: 'Eva' }),
    await client.patch(`/v1/leads/${lead.id}`, { guests: 0 }),
    await client.delete(`/v1/leads/${newId('lead')}`),
    await reader.post('/v1/leads', { email: 'a@b.co' }),
    await stranger.delete(`/v1/leads/${lead.id}`),
    await sandbox.post(`/v1/leads/${lead.id}/restore`),
    await gala.anonymous.post('/v1/leads', { email: 'a@b.co' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 400, 422, 422, 404, 403, 404, 404, 401]);
  expect(await appended()).toEqual(before);
});

describe('a change and its events are written together or not at all', () => {
  const failOn = async (table: string, operation: string) => {
    await sql(
      gala.databaseUrl,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END'`,
    );
    await sql(
      gala.databaseUrl,
      `CREATE TRIGGER refuse AFTER ${operation} ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
  };
  afterEach(() => sql(gala.databaseUrl, 'DROP FUNCTION refuse CASCADE'));

  test('no event without its lead', async () => {
    const lead = await createLead(client);
    const before = await appended();
    await failOn('leads', 'INSERT OR UPDATE');
    expect((await client.post('/v1/leads', { email: 'a@b.co' })).status).toBe(500);
    expect((await client.patch(`/v1/leads/${lead.id}`, { stage: 'lost' })).status).toBe(500);
    expect((await client.delete(`/v1/leads/${lead.id}`)).status).toBe(500);
    expect(await appended()).toEqual(before);
  });

  test('no lead without its event', async () => {
    const lead = await createLead(client);
    await failOn('events', 'INSERT');
    expect((await client.post('/v1/leads', { email: 'a@b.co' })).status).toBe(500);
    expect((await client.patch(`/v1/leads/${lead.id}`, { stage: 'lost' })).status).toBe(500);
    expect((await client.delete(`/v1/leads/${lead.id}`)).status).toBe(500);
    expect((await list(client, { archived: 'all' })).body.data).toEqual([lead]);
  });
});
