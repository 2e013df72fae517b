import { type Id, toUuid } from '../../src/kernel/ids';
import { Clock } from '../../src/kernel/clock';
import { RevokeApiKey } from '../../src/modules/api-keys';
import { idOf, makeKey, visibleTo } from '../support/api-keys';
import { eventsOf } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { expectUnauthorized } from '../support/refusals';
import { onConnection } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(20_000);

const clock = new FakeClock();
const overrides = [{ provide: Clock, useValue: clock }];
let gala: TestGala;
let secondInstance: TestGala;
let workspace: TestWorkspace;
let root: Client;
beforeAll(async () => {
  gala = await startGala({ overrides });
  secondInstance = await startGala({ overrides, databaseUrl: gala.databaseUrl });
  workspace = await gala.createWorkspace();
  root = await workspace.client();
});
afterAll(async () => {
  await secondInstance.stop();
  await gala.stop();
});

const revoke = (id: string, by = root) => by.delete(`/v1/api-keys/${id}`);

test('answers 200 with the key, and the same again when repeated', async () => {
  const { view } = await makeKey(root);
  const first = await revoke(view.id);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ ...view, revokedAt: clock.in(0) });
  clock.advance(60);
  const second = await revoke(view.id);
  expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
});

test('a revoked key stays readable and listed', async () => {
  const { view } = await makeKey(root);
  const { body } = await revoke(view.id);
  expect((await root.get(`/v1/api-keys/${view.id}`)).body).toEqual(body);
  expect((await root.get('/v1/api-keys?limit=100')).body.data).toContainEqual(body);
});

test('every later request with it is a 401, whatever it asks for', async () => {
  const { view, client } = await makeKey(root, { scopes: ['leads:read', 'leads:write'] });
  await revoke(view.id);
  for (const answer of [
    await client.get('/v1/me'),
    await client.get('/v1/leads'),
    await client.post('/v1/leads', { email: 'a@b.co' }),
    await client.post('/v1/leads', 'no json'),
    await client.get('/v1/unknown'),
    await client.post('/v1/api-keys', { name: 'x' }),
    await client.delete(`/v1/api-keys/${view.id}`),
    await client.post(`/v1/api-keys/${view.id}/rotate`),
  ]) {
    expectUnauthorized(answer);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  }
});

test('a key may revoke itself, and that is the last it did', async () => {
  const { view, client } = await makeKey(root);
  expect((await revoke(view.id, client)).body.revokedAt).toBe(clock.in(0));
  expectUnauthorized(await revoke(view.id, client));
});

test('its descendants go on working, and stay with the keys above it', async () => {
  const parent = await makeKey(root);
  const child = await makeKey(parent.client);
  const grandchild = await makeKey(child.client);
  await revoke(child.view.id);
  expect((await grandchild.client.get('/v1/me')).status).toBe(200);
  expect(await visibleTo(parent.client)).toEqual([parent.view.id, child.view.id, grandchild.view.id].sort());
  expect((await revoke(grandchild.view.id, parent.client)).status).toBe(200);
});

test('appends api_key.revoked once, with the key as it was answered', async () => {
  const { view } = await makeKey(root);
  const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(view.id)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const events = await eventsOf(gala, view.id);
  expect(events.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked']);
  expect(events[1]).toMatchObject({ data: answers[0]!.body, timestamp: answers[0]!.body.revokedAt });
});

test('a refused revocation appends nothing', async () => {
  const { view } = await makeKey(root);
  const stranger = await workspace.client();
  await revoke(view.id, stranger);
  await revoke(view.id, gala.anonymous);
  expect((await eventsOf(gala, view.id)).map(({ type }) => type)).toEqual(['api_key.created']);
});

test('holds at once on every instance, also with requests in flight', async () => {
  for (let round = 0; round < 3; round++) {
    const { view, secret, client } = await makeKey(root, { scopes: ['leads:read'] });
    const elsewhere = new Client(secondInstance.baseUrl, secret);
    const inFlight = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? client : elsewhere).get('/v1/leads'),
    );
    expect((await revoke(view.id)).status).toBe(200);
    const after = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? client : elsewhere).get('/v1/leads')),
    );
    expect(after.map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (const { status } of await Promise.all(inFlight)) expect([200, 401]).toContain(status);
  }
});

describe('a request that was let in before leaves no key behind after the revocation', () => {
  /** Changes a key's row, but commits only when `meanwhile` is done: requests that need the row wait until then. */
  const whileLocked = <Result>(change: string, id: string, meanwhile: () => Promise<Result>) =>
    onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [toUuid(id as Id<'key'>)]);
      const result = await meanwhile();
      await connection.query('COMMIT');
      return result;
    });
  const untilOneWaits = () =>
    onConnection(gala.databaseUrl, async (connection) => {
      for (const start = Date.now(); Date.now() - start < 10_000;) {
        const { rowCount } = await connection.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (rowCount) return;
      }
      throw new Error('No request came to wait for the row.');
    });

  test('when it makes one', async () => {
    const maker = await makeKey(root);
    const { creating } = await whileLocked('revoked_at = now()', maker.view.id, async () => {
      const request = maker.client.post('/v1/api-keys', { name: 'child' });
      await untilOneWaits();
      return { creating: request };
    });
    expectUnauthorized(await creating);
    expect((await root.get('/v1/api-keys?limit=1')).body.data[0].name).not.toBe('child');
  });

  test('when it rotates one that descends from it', async () => {
    const caller = await makeKey(root);
    const child = await makeKey(caller.client);
    const { rotating } = await whileLocked('revoked_at = now()', caller.view.id, async () => {
      const request = caller.client.post(`/v1/api-keys/${child.view.id}/rotate`);
      await untilOneWaits();
      return { rotating: request };
    });
    expectUnauthorized(await rotating);
    expect((await root.get(`/v1/api-keys/${child.view.id}`)).body).toEqual(child.view);
  });
});

test('the operator’s revocation holds at once too', async () => {
  const client = await workspace.client();
  const id = (await idOf(client)) as never;
  await secondInstance.app
    .get(RevokeApiKey, { strict: false })
    .byOperator({ workspaceId: workspace.id, mode: 'live' }, id);
  expectUnauthorized(await client.get('/v1/me'));
});
