import { Clock } from '../../src/kernel/clock';
import { ReceiveMessage } from '../../src/modules/messages/application/receive-message';
import { BATCH, ResponseNews } from '../../src/modules/reports/application/announce-responses';
import { ResponseJob } from '../../src/modules/reports/infrastructure/response-job';
import { newId } from '../../src/kernel/ids';
import { log } from '../activities/support';
import { auditSummaries } from '../audit-log/records';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { browserOf } from '../support/people';
import { expectInvalid } from '../support/refusals';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { uuidOf } from './support';

let clock: FakeClock;
let gala: TestGala;
let other: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  clock = new FakeClock();
  const overrides = [{ provide: Clock, useValue: clock }];
  gala = await startGala({ overrides });
  other = await startGala({ overrides, databaseUrl: gala.databaseUrl });
});
beforeEach(async () => {
  await sql(gala.databaseUrl, 'DELETE FROM response_targets');
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const TARGET = '/v1/response-target';
const MINUTE = 60;
const announce = (instance = gala) => instance.app.get(ResponseJob, { strict: false }).announceAll();
const setTarget = async (minutes: number | null) => {
  expect(await client.patch(TARGET, { minutes })).toMatchObject({ status: 200, body: { minutes } });
};
const OVERDUE = 'lead.response_overdue';
const RESPONDED = 'lead.responded';
const told = async (type: string) =>
  (await allEvents(gala, workspace.id)).filter((event) => event.type === type);
const toldOf = async (type: string) => (await told(type)).map(({ data }) => data.id as string);
const respond = (lead: LeadBody) => client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });

describe('the target', () => {
  test('is none at first, and can be set and removed; the audit log tells it', async () => {
    expect((await client.get(TARGET)).body).toEqual({ minutes: null });
    await setTarget(15);
    await setTarget(15);
    expect((await client.get(TARGET)).body).toEqual({ minutes: 15 });
    expect((await client.patch(TARGET, {})).body).toEqual({ minutes: 15 });
    expect((await (await workspace.client('test')).get(TARGET)).body).toEqual({ minutes: null });
    await setTarget(30);
    await setTarget(null);
    const changes = await auditSummaries(gala, workspace.id);
    expect(changes.filter((words) => words.includes('response target'))).toEqual([
      'Changed the response target from 30 to – minutes',
      'Changed the response target from 15 to 30 minutes',
      'Changed the response target from – to 15 minutes',
    ]);
  });

  test.each([0, 10_081, 1.5, '15'])('%j minutes are refused', async (minutes) => {
    expectInvalid(await client.patch(TARGET, { minutes }), 'minutes');
  });

  test('needs leads:read to be read, and schema:write to be changed', async () => {
    const reader = await workspace.client('live', ['leads:read']);
    expect(await reader.get(TARGET)).toMatchObject({ status: 200 });
    expect(await reader.patch(TARGET, { minutes: 5 })).toMatchObject({ status: 403 });
    const reporter = await workspace.client('live', ['reports:read']);
    expect(await reporter.get(TARGET)).toMatchObject({ status: 403 });
  });

  test('has a page, which copies the sandbox’s', async () => {
    const browser = await browserOf(gala, workspace.ownerEmail);
    const page = (mode: string) => `/settings/${workspace.id}/${mode}/response-target`;
    const save = (mode: string, minutes: string) =>
      browser.submit(page(mode), { minutes }, { on: page(mode) });
    expect(await save('live', 'soon')).toMatchObject({ status: 422 });
    expect(await save('live', ' 20 ')).toMatchObject({ status: 303 });
    expect((await browser.get(page('live'))).text).toContain('value="20"');
    await save('test', '45');
    await browser.submit(`${page('live')}/copy`, {}, { on: page('live') });
    expect((await client.get(TARGET)).body).toEqual({ minutes: 45 });
    await save('live', '');
    expect((await client.get(TARGET)).body).toEqual({ minutes: null });
    expect(await browser.submit(`${page('test')}/copy`, {}, { on: page('test') })).toMatchObject({
      status: 404,
    });
  });
});

describe('a lead without a response', () => {
  test('is told of once, when its time is up', async () => {
    await setTarget(15);
    const lead = await createLead(client);
    clock.advance(15 * MINUTE - 1);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([]);
    clock.advance(1);
    await Promise.all([announce(), announce(other)]);
    await announce();
    const events = await told(OVERDUE);
    expect(events).toMatchObject([
      {
        ...{ mode: 'live', timestamp: clock.now().toISOString(), previous: null, cause: { type: 'system' } },
        data: { ...lead, firstResponse: null, responseDueAt: clock.now().toISOString() },
      },
    ]);
    clock.advance(3 * 24 * 60 * MINUTE);
    await announce();
    expect(await toldOf(OVERDUE)).toHaveLength(1);
  });

  test('isn’t told of when it was answered, lost, archived or excluded, or is another mode’s', async () => {
    await setTarget(15);
    await respond(await createLead(client));
    const lost = await createLead(client);
    await client.patch(`/v1/leads/${lost.id}`, { stage: 'lost' });
    const archived = await createLead(client);
    await client.delete(`/v1/leads/${archived.id}`);
    await createLead(client, { stage: 'negotiation' });
    await createLead(await workspace.client('test'));
    clock.advance(20 * MINUTE);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([]);
    await client.post(`/v1/leads/${archived.id}/restore`);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([archived.id]);
  });

  test('that was late before there was a target is left out', async () => {
    await createLead(client);
    clock.advance(20 * MINUTE);
    await setTarget(15);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([]);
  });

  test('is late at once when the target gets shorter, and is told of by the longer one before', async () => {
    await setTarget(60);
    const first = await createLead(client);
    clock.advance(61 * MINUTE);
    await announce();
    const second = await createLead(client);
    clock.advance(30 * MINUTE);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([first.id]);
    await setTarget(15);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([first.id, second.id]);
    await setTarget(600);
    const third = await createLead(client);
    clock.advance(599 * MINUTE);
    await announce();
    expect(await toldOf(OVERDUE)).toHaveLength(2);
    clock.advance(MINUTE);
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([first.id, second.id, third.id]);
  });

  test('whose message comes in late is told of all the same', async () => {
    client = await workspace.client('test');
    await setTarget(15);
    clock.advance(60 * MINUTE);
    await announce();
    await gala.app.get(ReceiveMessage, { strict: false }).execute(
      { workspaceId: workspace.id, mode: 'test' },
      {
        ...{ providerId: newId('msg'), type: 'text', text: 'Hello', media: null },
        sentAt: new Date(clock.now().getTime() - 40 * MINUTE * 1000),
        sender: { phone: '+15005550077', userId: null, name: 'Ana', former: null } as never,
      },
    );
    await announce();
    expect(await toldOf(OVERDUE)).toHaveLength(1);
  });

  test('that someone is changing is told of afterwards', async () => {
    await setTarget(15);
    const lead = await createLead(client);
    clock.advance(15 * MINUTE);
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query('SELECT FROM lead_journeys WHERE lead_id = $1 FOR UPDATE', [uuidOf(lead.id)]);
      await announce();
      expect(await toldOf(OVERDUE)).toEqual([]);
      await connection.query('ROLLBACK');
    });
    await announce();
    expect(await toldOf(OVERDUE)).toEqual([lead.id]);
  });

  test('is told of with all others, however many they are', async () => {
    await setTarget(15);
    const items = Array.from({ length: BATCH + 1 }, () => ({ email: 'ana@example.com' }));
    await client.post('/v1/leads/bulk', { operation: 'create', items });
    clock.advance(15 * MINUTE);
    await announce();
    expect(new Set(await toldOf(OVERDUE)).size).toBe(BATCH + 1);
  });
});

describe('a first response', () => {
  test('is told of once, with who gave it and when it was due', async () => {
    await setTarget(15);
    const lead = await createLead(client);
    clock.advance(5 * MINUTE);
    const call = await log(client, lead.id, { direction: 'out' });
    await log(client, lead.id, { direction: 'out' });
    await Promise.all([announce(), announce(other)]);
    await respond(lead);
    await announce();
    const events = await told(RESPONDED);
    expect(events).toHaveLength(1);
    expect(events[0]!.data).toMatchObject({
      ...{
        id: lead.id,
        responseDueAt: new Date(Date.parse(lead.createdAt) + 15 * MINUTE * 1000).toISOString(),
      },
      firstResponse: { at: call.at, kind: 'activity', seconds: 5 * MINUTE, by: { type: 'api_key' } },
    });
    expect(await toldOf(OVERDUE)).toEqual([]);
  });

  test('isn’t told of without a target, nor of a lead that waits for none', async () => {
    await respond(await createLead(client));
    await setTarget(15);
    const excluded = await createLead(client, { stage: 'negotiation' });
    await log(client, excluded.id, { direction: 'out' });
    await announce();
    expect(await toldOf(RESPONDED)).toEqual([]);
  });

  test('that is taken back before it is told of is none; the next one is', async () => {
    await setTarget(15);
    const lead = await createLead(client);
    const call = await log(client, lead.id, { direction: 'out' });
    await client.delete(`/v1/leads/${lead.id}/activities/${call.id}`);
    await announce();
    expect(await toldOf(RESPONDED)).toEqual([]);
    await respond(lead);
    await announce();
    expect(await told(RESPONDED)).toMatchObject([{ data: { firstResponse: { kind: 'stage' } } }]);
    expect(await sql(gala.databaseUrl, 'SELECT FROM first_responses_to_tell')).toEqual([]);
  });
});

test('what could not be stored is told of by the next run', async () => {
  await setTarget(15);
  const [late, answered] = [await createLead(client), await createLead(client)];
  await respond(answered);
  clock.advance(15 * MINUTE);
  const news = gala.app.get(ResponseNews, { strict: false });
  const broken = jest.spyOn(news, 'saveOverdue').mockRejectedValue(new Error('The connection is gone.'));
  await expect(announce()).rejects.toThrow('The connection is gone.');
  broken.mockRestore();
  expect([await toldOf(OVERDUE), await toldOf(RESPONDED)]).toEqual([[], []]);
  await announce();
  expect([await toldOf(OVERDUE), await toldOf(RESPONDED)]).toEqual([[late.id], [answered.id]]);
});
