import { holdFields } from '../holds/support';
import { Clock } from '../../src/kernel/clock';
import { CreateApiKey } from '../../src/modules/api-keys';
import { ManageApps } from '../../src/modules/oauth';
import { ScopeRegistry } from '../../src/kernel/scope-registry';
import type { WorkspaceId } from '../../src/kernel/ids';
import { RemoveMember } from '../../src/modules/workspaces';
import { ManageWebhooks } from '../../src/modules/webhooks';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { memberOfWorkspace } from '../oauth/members';
import { newApp, type TestApp } from '../oauth/support';
import { send, sent } from '../proposals/support';
import { TickingClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';
import { person } from '../workspaces/people';

const HOOKS = 'webhooks:write';
const SINCE = new Date(0).toISOString();
/** Which scope opens which events. */
const OPENS = {
  'leads:read': /^(lead|activity)\./,
  'proposals:read': /^proposal\./,
  'messages:read': /^(message|contact)\./,
  'tasks:read': /^task\./,
  'calendar:read': /^(calendar_event|hold)\./,
};

let gala: TestGala;
let workspace: TestWorkspace;
/** A key that may do everything. */
let full: Client;
let receiver: WebhookReceiver;
beforeAll(async () => {
  gala = await startGala({
    configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
    overrides: [{ provide: Clock, useValue: new TickingClock(new Date().toISOString()) }],
  });
  gala.app.get(BackgroundJobs).start();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  full = await workspace.client('test');
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
const clientWith = (...scopes: string[]) => workspace.client('test', [HOOKS, ...scopes]);
async function subscribe(client: Client, events = ['*'], url = receiver.url): Promise<any> {
  const { status, body } = await client.post('/v1/webhooks', { url, events });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

/** One event of every kind that a scope opens, and the proposal that was sent. */
async function happenings(client = full): Promise<any> {
  const proposal = await sent(client);
  const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com', phone: '+34600000001' });
  expect((await client.post('/v1/messages', { leadId: lead.id, text: 'Hello' })).status).toBeLessThan(300);
  const event = {
    type: 'block',
    title: 'Closed',
    startsAt: '2027-06-01T10:00:00Z',
    endsAt: '2027-06-01T11:00:00Z',
  };
  expect((await client.post('/v1/calendar-events', event)).status).toBe(201);
  expect((await client.post('/v1/holds', await holdFields(client))).status).toBe(201);
  expect((await client.post('/v1/tasks', { title: 'Send the menu' })).status).toBe(201);
  return proposal;
}

async function typesSeenBy(client: Client, path = '/v1/events'): Promise<string[]> {
  const { status, body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`);
  expect(status).toBe(200);
  expect(body.pagination.total).toBe(body.data.length);
  return [...new Set<string>(body.data.map((item: any) => item.type ?? item.eventType))];
}
const received = () => receiver.received.map(({ body }) => JSON.parse(body.toString()));
const deliveriesOf = (client: Client, id: string) => typesSeenBy(client, `/v1/webhooks/${id}/deliveries`);

describe('the feed', () => {
  test('shows the events alone that the key’s scopes open, with exact totals', async () => {
    await happenings();
    const all = await typesSeenBy(full);
    for (const [scope, types] of Object.entries(OPENS)) {
      const seen = await typesSeenBy(await clientWith(scope));
      const opened = seen.filter((type) => type !== 'api_key.created');
      expect(opened).toEqual(expect.arrayContaining(all.filter((type) => types.test(type))));
      expect(opened.length).toBeGreaterThan(0);
      for (const type of opened) expect(type).toMatch(types);
    }
    expect(await typesSeenBy(await clientWith())).toEqual(['api_key.created']);
  });

  test('walks by cursor past what it doesn’t show', async () => {
    await happenings();
    const narrow = await clientWith('calendar:read');
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: any } = await narrow.get(`/v1/events?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ type }: any) => type));
      cursor = body.pagination.nextCursor;
    }
    expect(seen.filter((type) => type !== 'api_key.created')).toEqual([
      ...['hold.placed', 'calendar_event.created', 'calendar_event.created'],
    ]);
  });

  test('refuses to be asked for a type that the key may not read, and tells the scope', async () => {
    const narrow = await clientWith('leads:read');
    const refused = await narrow.get('/v1/events?type=proposal.sent');
    expectForbidden(refused);
    expect(refused.headers['www-authenticate']).toContain('scope="proposals:read"');
    expect((await narrow.get('/v1/events?type=lead.created')).status).toBe(200);
    expect(refused.body.error.message).toContain('proposals:read is required for proposal.sent events');
    for (const type of ['never.was', 'bogus', '*', 'webhook.*', 'lead.created,lead.updated', '']) {
      expectInvalid(await narrow.get(`/v1/events?type=${type}`), 'type');
    }
  });

  test('an app sees what it was allowed', async () => {
    const app = await newApp(gala, { scopes: [HOOKS, 'leads:read'] });
    const tokens = await app.install({}, { mode: 'live' });
    const key = await app.install({ scope: HOOKS }, { mode: 'live' });
    expect(await typesSeenBy(app.as(key))).not.toContain('lead.created');
    expect((await app.as(tokens).get('/v1/events?type=lead.created')).status).toBe(200);
    expectForbidden(await app.as(key).get('/v1/events?type=lead.created'));
  });
});

describe('the link that accepts a proposal', () => {
  const links = (text: string) => text.match(/\/proposals\/[\w-]{43}/g) ?? [];

  test('is shown with proposals:write alone, wherever proposals are read', async () => {
    const proposal = await sent(full);
    await full.post(`/v1/proposals/${proposal.id}/rotate-link`);
    const paths = ['/v1/proposals', `/v1/proposals/${proposal.id}`, '/v1/events?limit=100'];
    const reader = await clientWith('proposals:read');
    const writer = await clientWith('proposals:read', 'proposals:write');
    for (const path of paths) {
      const [shown, hidden] = [await writer.get(path), await reader.get(path)];
      expect(links(shown.text)).not.toEqual([]);
      expect(links(hidden.text)).toEqual([]);
      expect(hidden.status).toBe(200);
    }
    expect((await reader.get(`/v1/proposals/${proposal.id}`)).body).toEqual({
      ...(await writer.get(`/v1/proposals/${proposal.id}`)).body,
      publicUrl: null,
    });
    const { data } = (await reader.get('/v1/events?type=proposal.updated')).body;
    expect(data[0]).toMatchObject({ data: { publicUrl: null }, previous: { publicUrl: null } });
  });

  test('is in no delivery to an endpoint made without it, at no attempt', async () => {
    await subscribe(await clientWith('proposals:read'), ['proposal.*']);
    await send(full, (await full.post(`/v1/proposals/${(await sent(full)).id}/revise`)).body.id);
    await receiver.got(4);
    const events = received();
    expect(events.map(({ type }) => type)).toContain('proposal.sent');
    expect(links(JSON.stringify(events))).toEqual([]);
    for (const { data } of events) expect(data.publicUrl).toBeNull();
  });

  test('is in deliveries to one made with it', async () => {
    await subscribe(await clientWith('proposals:read', 'proposals:write'), ['proposal.sent']);
    const { publicUrl } = await sent(full);
    await receiver.got(1);
    expect(received()[0].data.publicUrl).toBe(publicUrl);
  });
});

describe('an endpoint', () => {
  test('of a key gets the events of a pattern that the key may read', async () => {
    const narrow = await clientWith('leads:read');
    const { id } = await subscribe(narrow);
    const { id: wide } = await subscribe(full);
    await happenings();
    const types = await deliveriesOf(full, id);
    expect(types.filter((type) => !/^(lead|api_key|webhook)\./.test(type))).toEqual([]);
    expect(types).toContain('lead.created');
    expect(await deliveriesOf(full, wide)).toEqual(expect.arrayContaining(['proposal.sent', 'lead.created']));
  });

  test('can’t be made or changed for events that the key may not read', async () => {
    const narrow = await clientWith('leads:read');
    for (const events of [['proposal.sent'], ['proposal.*'], ['lead.*', 'message.received']]) {
      expectForbidden(await narrow.post('/v1/webhooks', { url: receiver.url, events }));
    }
    const { id } = await subscribe(narrow, ['lead.*']);
    const refused = await narrow.patch(`/v1/webhooks/${id}`, { events: ['lead.*', 'calendar_event.*'] });
    expectForbidden(refused);
    expect(refused.headers['www-authenticate']).toContain('scope="calendar:read"');
    expectInvalid(await narrow.post('/v1/webhooks', { url: receiver.url, events: ['never.was'] }), 'events');
    expect((await narrow.get(`/v1/webhooks/${id}`)).body.events).toEqual(['lead.*']);
  });

  test('of somebody else can’t be led to another address by a key that may read less', async () => {
    const narrow = await clientWith('leads:read');
    const { id } = await subscribe(full, ['lead.*', 'proposal.*']);
    const elsewhere = { url: `${receiver.url}/elsewhere` };
    const refused = await narrow.patch(`/v1/webhooks/${id}`, elsewhere);
    expectForbidden(refused);
    expect(refused.headers['www-authenticate']).toContain('scope="proposals:read"');
    expectForbidden(await narrow.patch(`/v1/webhooks/${id}`, { ...elsewhere, events: ['lead.*'] }));
    expect((await narrow.patch(`/v1/webhooks/${id}`, { description: 'Hers' })).status).toBe(200);
    expectForbidden(await narrow.patch(`/v1/webhooks/${id}`, { events: ['lead.*'] }));
    expectForbidden(await narrow.patch(`/v1/webhooks/${id}`, elsewhere));
  });

  test('that was led elsewhere gets nothing more of what waited, unless the new reader may read it', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const { id } = await subscribe(full, ['lead.created', 'calendar_event.created']);
    await happenings();
    const narrow = await clientWith('leads:read');
    await full.patch(`/v1/webhooks/${id}`, { events: ['lead.created'] });
    const moved = await WebhookReceiver.start();
    expect((await narrow.patch(`/v1/webhooks/${id}`, { url: moved.url })).status).toBe(200);
    expect((await full.post(`/v1/webhooks/${id}/recover`, { since: SINCE })).body).toEqual({ recovered: 0 });
    const { data } = (await full.get(`/v1/webhooks/${id}/deliveries`)).body;
    const other = data.find(({ eventType }: any) => eventType === 'calendar_event.created');
    expect(other).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expectNotFound(await full.post(`/v1/webhooks/${id}/deliveries/${other.id}/retry`));
    await moved.stop();
  });

  test('shows a key the deliveries alone that it may read', async () => {
    const { id } = await subscribe(full);
    await happenings();
    const narrow = await clientWith('leads:read');
    const types = await deliveriesOf(narrow, id);
    expect(types).toContain('lead.created');
    expect(types.filter((type) => !/^(lead|api_key|webhook)\./.test(type))).toEqual([]);
    const { data } = (await full.get(`/v1/webhooks/${id}/deliveries?limit=100`)).body;
    for (const { id: delivery, eventType } of data) {
      const { status } = await narrow.post(`/v1/webhooks/${id}/deliveries/${delivery}/retry`);
      expect([eventType, status]).toEqual([eventType, types.includes(eventType as string) ? 200 : 404]);
    }
  });

  test('that a person made gets everything', async () => {
    const email = newEmail();
    const workspaceId = await workspaceOf(gala, email);
    const settings = { url: receiver.url, events: ['*'], description: null };
    const ref = { workspaceId, mode: 'live' } as const;
    const { endpoint } = await get(ManageWebhooks).create(ref, await person(gala, email), settings);
    const key = await keyOf(workspaceId);
    await sent(key);
    expect(await deliveriesOf(key, endpoint.id)).toEqual(
      expect.arrayContaining(['proposal.sent', 'lead.created']),
    );
    const browser = await browserOf(gala, email);
    const { text } = await browser.get(`/settings/${workspaceId}/live/webhooks/${endpoint.id}/deliveries`);
    expect(text).toContain('proposal.sent');
  });
});

/** A live key with every scope. */
async function keyOf(workspaceId: WorkspaceId): Promise<Client> {
  const input = { name: 'Key', scopes: get(ScopeRegistry).names(), expiresAt: null };
  const { token } = await get(CreateApiKey).byOperator({ workspaceId, mode: 'live' }, input);
  return new Client(gala.baseUrl, token);
}

describe('an app’s endpoint', () => {
  const SCOPES = [HOOKS, 'leads:read', 'leads:write', 'calendar:read'];
  let app: TestApp;
  let key: Client;
  beforeEach(async () => {
    app = await newApp(gala, { scopes: SCOPES });
    key = await keyOf(app.owner.workspaceId);
  });

  async function subscribed(scope?: string) {
    const client = app.as(await app.install({ scope }));
    return { client, id: (await subscribe(client)).id as string };
  }
  /** Whether the endpoint is told of a new lead. */
  async function hears(id: string): Promise<boolean> {
    const { body: lead } = await key.post('/v1/leads', { email: 'ana@example.com' });
    const { body: events } = await key.get('/v1/events?type=lead.created&limit=1');
    expect(events.data[0].data.id).toBe(lead.id);
    const { body } = await key.get(`/v1/webhooks/${id}/deliveries?limit=100`);
    return body.data.some(({ eventId }: any) => eventId === events.data[0].id);
  }

  test('loses the events whose scope the operator takes from the app', async () => {
    const { id } = await subscribed();
    expect(await hears(id)).toBe(true);
    await get(ManageApps).change(app.id, { scopes: [HOOKS, 'leads:write'] });
    expect(await hears(id)).toBe(false);
  });

  test('gets what the app might read when it chose the events, until the app chooses anew', async () => {
    const { id } = await subscribed(`${HOOKS} leads:write`);
    expect(await hears(id)).toBe(false);
    const wider = app.as(await app.install({}));
    expect(await hears(id)).toBe(false);
    // Others who change its events give the app no more than it may read.
    await key.patch(`/v1/webhooks/${id}`, { events: ['lead.*'] });
    expect(await hears(id)).toBe(false);
    expect((await wider.patch(`/v1/webhooks/${id}`, { events: ['lead.*', 'api_key.*'] })).status).toBe(200);
    expect(await hears(id)).toBe(true);
  });

  test('gets nothing more once the person has left who let the app in', async () => {
    const { id } = await subscribed();
    const { owner } = app;
    const colleague = await memberOfWorkspace(gala, owner, newEmail(), 'owner');
    expect(await hears(id)).toBe(true);
    const { id: leaver } = await person(gala, owner.email);
    await get(RemoveMember).execute(owner.workspaceId, colleague, leaver);
    expect(await hears(id)).toBe(false);
  });
});
