import { ManageApps } from '../../src/modules/oauth';
import { CreateApiKey } from '../../src/modules/api-keys';
import { CALLBACK, newApp, TestApp } from '../oauth/support';
import { expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

const SCOPE = 'webhooks:write';
const SUBSCRIPTION = { url: 'https://example.com/planner', events: ['*'] };

let gala: TestGala;
/** Two apps, and a key of the workspace that let both in. */
let planner: Client;
let invoicing: Client;
let key: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  const first = await newApp(gala, { scopes: [SCOPE] });
  const { owner } = first;
  const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
  const input = { name: 'Invoicing', redirectUris: [CALLBACK], scopes: [SCOPE] };
  const { app, secret } = await get(ManageApps).register(input, { isPublic: false });
  const second = new TestApp(gala, app.id, secret, owner, [CALLBACK]);
  planner = first.as(await first.install({ scope: SCOPE }));
  invoicing = second.as(await second.install({ scope: SCOPE }));
  const ref = { workspaceId: owner.workspaceId, mode: 'live' } as const;
  const made = await get(CreateApiKey).byOperator(ref, { name: 'Key', scopes: [SCOPE], expiresAt: null });
  key = new Client(gala.baseUrl, made.token);
});

async function subscribe(client: Client): Promise<string> {
  const { status, body } = await client.post('/v1/webhooks', SUBSCRIPTION);
  expect(status).toBe(201);
  return body.id;
}

const seenBy = async (client: Client, path = '/v1/webhooks') => {
  const { data, pagination } = (await client.get(path)).body;
  expect(pagination.total).toBe(data.length);
  return data.map(({ id }: { id: string }) => id);
};

test('an app’s list holds the endpoints that it made, a key’s all', async () => {
  const [ofPlanner, ofInvoicing, ofKey] = [
    await subscribe(planner),
    await subscribe(invoicing),
    await subscribe(key),
  ];
  expect(await seenBy(planner)).toEqual([ofPlanner]);
  expect(await seenBy(invoicing)).toEqual([ofInvoicing]);
  expect(await seenBy(key)).toEqual([ofKey, ofInvoicing, ofPlanner]);
});

test('to an app, others’ endpoints don’t exist, whatever it wants of them', async () => {
  for (const owner of [invoicing, key]) {
    const path = `/v1/webhooks/${await subscribe(owner)}`;
    const { body: sent } = await owner.post(`${path}/test`);
    const before = (await key.get(path)).body;
    const since = new Date(0).toISOString();
    for (const answer of [
      await planner.get(path),
      await planner.patch(path, { status: 'disabled' }),
      await planner.delete(path),
      await planner.post(`${path}/rotate-secret`),
      await planner.post(`${path}/test`),
      await planner.post(`${path}/recover`, { since }),
      await planner.get(`${path}/deliveries`),
      await planner.post(`${path}/deliveries/${sent.id}/retry`),
    ]) {
      expectRefusal(answer, 404);
    }
    expect((await key.get(path)).body).toEqual(before);
    // This one, and the one by which Gala tests a new host.
    expect((await key.get(`${path}/deliveries`)).body.data).toHaveLength(2);
  }
});

test('an app does with its own what it likes, and so does a key', async () => {
  for (const client of [planner, key]) {
    const path = `/v1/webhooks/${await subscribe(planner)}`;
    expect((await client.patch(path, { description: 'Mine' })).body).toMatchObject({ description: 'Mine' });
    const { body: sent } = await client.post(`${path}/test`);
    expect((await client.post(`${path}/deliveries/${sent.id}/retry`)).status).toBe(200);
    expect((await client.post(`${path}/rotate-secret`)).body.secret).toMatch(/^whsec_/);
    expect((await client.delete(path)).status).toBe(200);
  }
});

test('what is tried out on an endpoint is an event to those who see it', async () => {
  const id = await subscribe(invoicing);
  const tests = '/v1/events?type=webhook.test';
  const [ofNewHost] = await seenBy(invoicing, tests);
  const { body: sent } = await invoicing.post(`/v1/webhooks/${id}/test`);
  expect(await seenBy(invoicing, tests)).toEqual([sent.eventId, ofNewHost]);
  expect(await seenBy(key, tests)).toEqual([sent.eventId, ofNewHost]);
  expect(await seenBy(planner, tests)).toEqual([]);
  const { text } = await planner.get('/v1/events');
  expect(text).toContain('app.installed');
  expect(text).not.toContain(SUBSCRIPTION.url);
});
