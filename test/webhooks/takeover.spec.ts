import { Clock } from '../../src/kernel/clock';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { CreateApiKey } from '../../src/modules/api-keys';
import { newApp, type TestApp } from '../oauth/support';
import { sent } from '../proposals/support';
import { TickingClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { expectForbidden } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';

const HOOKS = 'webhooks:write';
const READS = ['leads:read', 'proposals:read'];
const FULL = [HOOKS, ...READS, 'leads:write', 'proposals:write'];

const clock = new TickingClock(new Date().toISOString());
let gala: TestGala;
let app: TestApp;
let planner: Client;
let full: Client;
let receiver: WebhookReceiver;
beforeAll(async () => {
  gala = await startGala({
    configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
    overrides: [{ provide: Clock, useValue: clock }],
  });
  gala.app.get(BackgroundJobs).start();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  app = await newApp(gala, { scopes: FULL });
  planner = app.as(await app.install({}));
  full = await keyWith(...FULL);
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

/** A live key of the workspace that let the app in. */
async function keyWith(...scopes: string[]): Promise<Client> {
  const ref = { workspaceId: app.owner.workspaceId, mode: 'live' } as const;
  const create = gala.app.get(CreateApiKey, { strict: false });
  const { token } = await create.byOperator(ref, { name: 'Key', scopes, expiresAt: null });
  return new Client(gala.baseUrl, token);
}
async function subscribe(client: Client, events = ['*']): Promise<string> {
  const { status, body } = await client.post('/v1/webhooks', { url: receiver.url, events });
  expect({ status, body }).toMatchObject({ status: 201 });
  return `/v1/webhooks/${body.id}`;
}
async function typesSentTo(path: string): Promise<string[]> {
  const { body } = await full.get(`${path}/deliveries?limit=100`);
  return body.data.map(({ eventType }: any) => eventType);
}

test('a key leads an app’s endpoint to no event that the key may not read, in however many steps', async () => {
  const narrow = await keyWith(HOOKS);
  const path = await subscribe(planner, ['lead.created', 'proposal.sent']);
  const elsewhere = { url: `${receiver.url}/elsewhere` };
  const steps = [
    elsewhere,
    { events: ['webhook.test'] },
    { events: ['*'] },
    { ...elsewhere, events: ['api_key.*'] },
  ];
  for (const step of steps) expectForbidden(await narrow.patch(path, step));
  expectForbidden(await narrow.post(`${path}/rotate-secret`));
  expect((await full.get(path)).body).toMatchObject({
    url: receiver.url,
    events: ['lead.created', 'proposal.sent'],
  });
});

test('nobody widens an endpoint by changing its events, but the app its own', async () => {
  for (const [maker, decides] of [
    [await keyWith(HOOKS), false],
    [app.as(await app.install({ scope: HOOKS })), true],
  ] as const) {
    const path = await subscribe(maker);
    expect((await full.patch(path, { events: ['lead.*', 'webhook.*'] })).status).toBe(200);
    await sent(full);
    expect(await typesSentTo(path)).not.toContain('lead.created');
    const wide = decides ? app.as(await app.install({})) : full;
    await wide.patch(path, { events: ['lead.*'] });
    await sent(full);
    expect((await typesSentTo(path)).includes('lead.created')).toBe(decides);
  }
});

test('an endpoint that gets the link of a proposal is taken over by none who may not read it', async () => {
  const reader = await keyWith(HOOKS, 'proposals:read');
  const elsewhere = { url: `${receiver.url}/elsewhere` };
  for (const maker of [planner, full]) {
    const path = await subscribe(maker, ['proposal.sent']);
    const refused = await reader.patch(path, elsewhere);
    expectForbidden(refused);
    expect(refused.headers['www-authenticate']).toContain('scope="proposals:write"');
    expectForbidden(await reader.post(`${path}/rotate-secret`));
    expectForbidden(await reader.patch(path, { events: ['proposal.*'] }));
    expectForbidden(await reader.patch(path, elsewhere));
    expect((await reader.patch(path, { status: 'disabled' })).status).toBe(200);
  }
});

test('a secret is told to those alone who may read what it signs', async () => {
  const narrow = await keyWith(HOOKS);
  const narrowToken = app.as(await app.install({ scope: HOOKS }));
  const paths = [await subscribe(planner), await subscribe(full)];
  for (const answer of [
    await narrow.post(`${paths[0]}/rotate-secret`),
    await narrow.post(`${paths[1]}/rotate-secret`),
    await narrowToken.post(`${paths[0]}/rotate-secret`),
  ]) {
    expectForbidden(answer);
    expect(answer.text).not.toContain('whsec_');
  }
  for (const path of paths) {
    expect((await full.post(`${path}/rotate-secret`)).body.secret).toMatch(/^whsec_/);
  }
});

test('a key that may read less revives no endpoint and makes none last longer', async () => {
  const narrow = await keyWith(HOOKS);
  const expiresAt = clock.in(60);
  const { body } = await full.post('/v1/api-keys', { name: 'Expiring', scopes: FULL, expiresAt });
  const path = await subscribe(new Client(gala.baseUrl, body.key as string));
  expectForbidden(await narrow.patch(path, { status: 'enabled' }));
  expect((await narrow.patch(path, { status: 'disabled' })).status).toBe(200);
  expectForbidden(await narrow.patch(path, { status: 'enabled' }));
  clock.advance(61);
  expectForbidden(await narrow.patch(path, { status: 'enabled' }));
  expect((await narrow.get(path)).body).toMatchObject({ status: 'disabled', expiresAt });
  expect((await full.patch(path, { status: 'enabled' })).body).toMatchObject({ expiresAt: null });
  // Nothing changes for one that is enabled already.
  expect((await narrow.patch(path, { status: 'enabled' })).status).toBe(200);
});
