import { toUuid } from '../../src/kernel/ids';
import { ExpiryJob } from '../../src/modules/proposals/infrastructure/expiry-job';
import { conversationOf, leadWith, MAGIC, send } from '../messages/support';
import { newApp } from '../oauth/support';
import { pathOf, sent, visitor } from '../proposals/support';
import { idOf } from '../support/api-keys';
import { expectRefusal } from '../support/expect-refusal';
import { allEvents } from '../support/events';
import { startDeliveringGala } from '../support/delivering-gala';
import type { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';
import { person } from '../workspaces/people';

const SYSTEM = { type: 'system', id: null };

let gala: TestGala;
let clock: FakeClock;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  ({ gala, clock } = await startDeliveringGala());
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
});

/** The causes of a workspace's events of that type, as the event log shows them, oldest first. */
async function causesOf(type: string, reader = client): Promise<any[]> {
  const { body } = await reader.get(`/v1/events?type=${type}&limit=100`);
  return body.data.map((event: any) => event.cause).reverse();
}

describe('an event names', () => {
  test('the key of a request, also of one that is sent twice', async () => {
    const key = { type: 'api_key', id: await idOf(client) };
    const headers = { 'Idempotency-Key': 'once' };
    for (let times = 0; times < 2; times++)
      await client.post('/v1/leads', { email: 'ana@example.com' }, { headers });
    const { id } = await createLead(client);
    await client.patch(`/v1/leads/${id}`, { stage: 'contacted' });
    await client.delete(`/v1/leads/${id}`);
    expect(await causesOf('lead.created')).toEqual([key, key]);
    expect(await causesOf('lead.stage_changed')).toEqual([key]);
    expect(await causesOf('lead.archived')).toEqual([key]);
  });

  test('the app of a request, by the id that it knows itself by', async () => {
    const app = await newApp(gala, { scopes: ['leads:read', 'leads:write', 'webhooks:write'] });
    const caller = app.as(await app.install());
    await createLead(caller);
    const { credential } = (await caller.get('/v1/me')).body;
    expect(credential.id).toMatch(/^inst_/);
    expect(await causesOf('lead.created', caller)).toEqual([{ type: 'oauth', id: credential.id }]);
    const { id } = await person(gala, app.owner.email);
    expect(await causesOf('app.installed', caller)).toEqual([{ type: 'user', id }]);
  });

  test('the person who is at a page', async () => {
    const browser = await workspace.browser();
    const form = { name: 'Website', scopes: 'leads:read' };
    const path = `/settings/${workspace.id}/test/api-keys`;
    expect((await browser.submit(path, form, { on: `${path}/new` })).status).toBe(201);
    const { id } = await person(gala, workspace.ownerEmail);
    // The first key was made on the command line.
    expect(await causesOf('api_key.created')).toEqual([SYSTEM, { type: 'user', id }]);
  });

  test('the client who reads and accepts a proposal, and Gala, which lets one expire', async () => {
    const offer = await sent(client);
    const ana = visitor(gala.baseUrl);
    await ana.get(pathOf(offer));
    const form = { name: 'Ana', consent: 'yes' };
    expect((await ana.submit(`${pathOf(offer)}/accept`, form, { on: pathOf(offer) })).status).toBe(303);
    const cause = { type: 'client', id: offer.leadId };
    expect(await causesOf('proposal.viewed')).toEqual([cause]);
    expect(await causesOf('proposal.accepted')).toEqual([cause]);
    expect((await causesOf('lead.stage_changed')).at(-1)).toEqual(cause);

    const declined = await sent(client);
    const no = { reason: 'Too far', decline: 'yes' };
    await ana.submit(`${pathOf(declined)}/decline`, no, { on: pathOf(declined) });
    expect(await causesOf('proposal.declined')).toEqual([{ type: 'client', id: declined.leadId }]);

    const day = clock.now().toISOString().slice(0, 10);
    await sent(client, { validUntil: day });
    clock.advance(3 * 24 * 60 * 60);
    await gala.app.get(ExpiryJob, { strict: false }).expireAll();
    expect(await causesOf('proposal.expired')).toEqual([SYSTEM]);
  });

  test('the client who writes a chat message, and Gala, which sends one', async () => {
    const { id } = await leadWith(client, MAGIC.replies);
    await send(client, id);
    await conversationOf(client, id, 2);
    expect(await causesOf('message.queued')).toEqual([{ type: 'api_key', id: await idOf(client) }]);
    expect(await causesOf('message.received')).toEqual([{ type: 'client', id }]);
    expect(await causesOf('message.sent')).toEqual([SYSTEM]);
  });

  test('each key its own, however many write at once', async () => {
    const other = await workspace.client('test');
    const ids = [await idOf(client), await idOf(other)];
    const writes = Array.from({ length: 40 }, async (_, number) => {
      const { id } = await createLead(number % 2 ? other : client, { source: ids[number % 2]! });
      await (number % 2 ? other : client).patch(`/v1/leads/${id}`, { guests: number + 1 });
    });
    await Promise.all(writes);
    const events = (await allEvents(gala, workspace.id)).filter(({ type }) => type.startsWith('lead.'));
    expect(events).toHaveLength(80);
    for (const { cause, data } of events) expect(cause).toEqual({ type: 'api_key', id: data.source });
  });

  test('the system, when it was appended by an instance that knows no causes', async () => {
    const { id } = await createLead(client);
    await sql(
      gala.databaseUrl,
      `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
       SELECT workspace_id, mode, gen_random_uuid(), 'lead.restored', occurred_at, data
       FROM events WHERE data->>'id' = $1`,
      [id],
    );
    expect(await causesOf('lead.restored')).toEqual([SYSTEM]);
  });
});

test('the log, the change feed, the delivery and its page tell the same cause', async () => {
  const receiver = await WebhookReceiver.start();
  const { body: endpoint } = await client.post('/v1/webhooks', { url: receiver.url, events: ['lead.*'] });
  await createLead(client);
  const [received] = await receiver.got(1);
  const event = JSON.parse(received!.body.toString());
  expect(event.cause).toEqual({ type: 'api_key', id: await idOf(client) });
  expect((await client.get('/v1/events?type=lead.created')).body.data).toEqual([event]);
  expect((await client.get('/v1/changes?types=lead.*')).body.data).toEqual([event]);
  const { body } = await client.get(`/v1/webhooks/${endpoint.id}/deliveries`);
  const delivery = body.data.find(({ eventType }: any) => eventType === 'lead.created');
  const page = `/settings/${workspace.id}/test/webhooks/${endpoint.id}/deliveries/${delivery.id}`;
  const { text } = await (await workspace.browser()).get(page);
  expect(text.replaceAll('&quot;', '"').replace(/\s/g, '')).toContain(
    `"cause":${JSON.stringify(event.cause)}`,
  );
  await receiver.stop();
});

describe('skipCauses', () => {
  const subscribe = async (fields: object): Promise<any> => {
    const settings = { url: 'https://example.com/hook', events: ['*'], ...fields };
    const { status, body } = await client.post('/v1/webhooks', settings);
    expect(status).toBe(201);
    return body;
  };
  const deliveredTo = async ({ id }: { id: string }): Promise<string[]> =>
    (await client.get(`/v1/webhooks/${id}/deliveries?limit=100`)).body.data
      .map(({ eventType }: any) => eventType)
      .filter((type: string) => type !== 'webhook.test')
      .reverse();
  const clientAccepts = async () => {
    const offer = await sent(client);
    const form = { name: 'Ana', consent: 'yes' };
    const page = pathOf(offer);
    expect((await visitor(gala.baseUrl).submit(`${page}/accept`, form, { on: page })).status).toBe(303);
  };

  test('keeps the events of these causes from an endpoint, and from no other reader', async () => {
    const quiet = await subscribe({ skipCauses: ['api_key', 'import'] });
    const loud = await subscribe({});
    expect(loud.skipCauses).toEqual([]);
    const { position } = (await client.get('/v1/changes?after=now')).body;
    await clientAccepts();
    const answered = ['proposal.viewed', 'proposal.accepted', 'lead.updated', 'lead.stage_changed'];
    expect((await deliveredTo(quiet)).toSorted()).toEqual(answered.toSorted());
    const all = (await client.get(`/v1/changes?after=${position}&limit=100`)).body.data;
    const types = all.map(({ type }: any) => type).toSorted();
    expect(types).toEqual(expect.arrayContaining(['lead.created', 'proposal.created', ...answered]));
    expect((await deliveredTo(loud)).toSorted()).toEqual(types);
    const log = (await client.get('/v1/events?limit=100')).body.data.map(({ type }: any) => type);
    expect(log).toEqual(expect.arrayContaining(types));
  });

  test('decides when an event happens, not when it is sent', async () => {
    const endpoint = await subscribe({});
    const { id } = await createLead(client);
    const changed = await client.patch(`/v1/webhooks/${endpoint.id}`, { skipCauses: ['api_key', 'api_key'] });
    expect(changed.body).toMatchObject({ skipCauses: ['api_key'], revision: Number(endpoint.revision) + 1 });
    await client.patch(`/v1/leads/${id}`, { guests: 2 });
    const cleared = await client.patch(`/v1/webhooks/${endpoint.id}`, { skipCauses: null });
    expect(cleared.body).toMatchObject({ skipCauses: [], revision: Number(endpoint.revision) + 2 });
    await client.delete(`/v1/leads/${id}`);
    expect(await deliveredTo(endpoint)).toEqual(['lead.created', 'lead.archived']);
    const since = new Date(0).toISOString();
    await client.post(`/v1/webhooks/${endpoint.id}/recover`, { since });
    expect(await deliveredTo(endpoint)).toEqual(['lead.created', 'lead.archived']);
  });

  test('doesn’t keep a test from an endpoint', async () => {
    const { id } = await subscribe({ skipCauses: ['api_key', 'system'] });
    expect((await client.post(`/v1/webhooks/${id}/test`)).status).toBe(201);
    expect((await client.get(`/v1/webhooks/${id}/deliveries`)).body.data).toHaveLength(2);
  });

  test.each([[['person']], [[null]], ['import'], [[['import']]], [Array(21).fill('import')]])(
    'is never %j',
    async (skipCauses) => {
      const settings = { url: 'https://example.com/hook', events: ['*'], skipCauses };
      expectRefusal(await client.post('/v1/webhooks', settings), 422, { field: 'skipCauses' });
    },
  );

  test('is chosen by people on the page of an endpoint', async () => {
    const browser = await workspace.browser();
    const path = `/settings/${workspace.id}/test/webhooks`;
    const form = { url: 'https://example.com/page', description: '', events: '*', skipCauses: 'import' };
    expect((await browser.submit(path, form, { on: `${path}/new` })).status).toBe(201);
    const [endpoint] = (await client.get('/v1/webhooks')).body.data;
    expect(endpoint.skipCauses).toEqual(['import']);
    const page = `${path}/${endpoint.id}?tab=settings`;
    expect((await browser.get(page)).text).toMatch(/name="skipCauses" value="import" checked/);
    const { skipCauses: _, ...without } = form;
    expect((await browser.submit(`${path}/${endpoint.id}`, without, { on: page })).status).toBe(303);
    expect((await client.get(`/v1/webhooks/${endpoint.id}`)).body.skipCauses).toEqual([]);
  });
});

test('causes of one workspace name nobody of another', async () => {
  const other = await (await gala.createWorkspace()).client('test');
  await createLead(other);
  await createLead(client);
  const rows = await sql<{ workspace_id: string; cause_id: string }>(
    gala.databaseUrl,
    `SELECT workspace_id, cause_id FROM events WHERE type = 'lead.created' AND workspace_id = $1`,
    [toUuid(workspace.id)],
  );
  expect(rows.map((row) => row.cause_id)).toEqual([await idOf(client)]);
});
