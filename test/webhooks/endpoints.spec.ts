import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

const URL = 'https://example.com/hook';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});

test('an endpoint is made, read, changed and deleted; its secret is shown when it is made', async () => {
  const made = await client.post('/v1/webhooks', { url: URL, events: ['lead.*', 'lead.*'] });
  expect(made.status).toBe(201);
  const { secret, ...endpoint } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.headers).toMatchObject({
    location: `/v1/webhooks/${endpoint.id}`,
    'cache-control': 'no-store',
  });
  expect(endpoint).toMatchObject({ url: URL, events: ['lead.*'], description: null, status: 'enabled' });
  const path = `/v1/webhooks/${endpoint.id}`;
  expect((await client.get(path)).body).toEqual(endpoint);
  expect((await client.get('/v1/webhooks')).body).toMatchObject({
    data: [endpoint],
    pagination: { total: 1 },
  });
  const changed = await client.patch(path, { events: ['*'], description: 'All', status: 'disabled' });
  expect(changed.body).toMatchObject({ events: ['*'], description: 'All', status: 'disabled', url: URL });
  expectRefusal(await client.post(`${path}/test`), 422, { field: 'status' });
  expect((await client.delete(path)).body).toMatchObject({ id: endpoint.id, status: 'disabled' });
  expectRefusal(await client.get(path), 404);
  expect((await client.get('/v1/webhooks')).body.data).toEqual([]);
});

test.each([
  'http://example.com/hook',
  'https://127.0.0.1/',
  'https://127.0.0.1:5432/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://localhost/',
  'https://localhost./',
  'https://a.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://user:pw@example.com/',
  'https://example.com/#a',
  'file:///etc/passwd',
  'gopher://example.com/',
  'ftp://example.com/',
  '//example.com/hook',
  'example.com/hook',
  '',
  'https://',
])('%s is no address to deliver to', async (url) => {
  expectRefusal(await client.post('/v1/webhooks', { url, events: ['*'] }), 422, { field: 'url' });
});

test.each([[[]], [['lead']], [['lead.creatd']], [['*.*']], [['guest.*']], [['']], ['lead.*']])(
  'there are no events %j',
  async (events) => {
    expectRefusal(await client.post('/v1/webhooks', { url: URL, events }), 422, { field: 'events' });
  },
);

test('events are read newest first, by cursor, with what changed', async () => {
  const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com' });
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  const { body: first } = await client.get('/v1/events?limit=2');
  const cursor = first.pagination.nextCursor;
  const { body: second } = await client.get(`/v1/events?limit=2&cursor=${cursor}`);
  const all = [...first.data, ...second.data];
  const types = all.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['lead.stage_changed', 'lead.created', 'api_key.created']));
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
  const change = all.find(({ type }) => type === 'lead.stage_changed');
  expect(change).toMatchObject({ mode: 'live', apiVersion: 'v1', previous: { stage: 'new_enquiry' } });
  expect(change.data).toMatchObject({ id: lead.id, stage: 'contacted' });
  const { body: created } = await client.get('/v1/events?type=lead.created');
  expect(created.data).toHaveLength(1);
});
