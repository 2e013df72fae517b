import { Clock } from '../../src/kernel/clock';
import { type KeyBody, makeKey, rotateKey, visibleTo } from '../support/api-keys';
import { eventsOf } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { expectForbidden, expectUnauthorized } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let root: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  root = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const read = async (id: string): Promise<KeyBody> => (await root.get(`/v1/api-keys/${id}`)).body;
/** Never, or a moment, as a number that grows with it. */
const end = ({ expiresAt }: KeyBody) => (expiresAt === null ? Infinity : Date.parse(expiresAt));

test('a key works until it expires and is a 401 from that very moment', async () => {
  const { view, client } = await makeKey(root, { expiresAt: clock.in(10) });
  clock.advance(9.999);
  expect((await client.get('/v1/me')).status).toBe(200);
  clock.advance(0.001);
  expectUnauthorized(await client.get('/v1/me'));
  expectUnauthorized(await client.post('/v1/api-keys', { name: 'x' }));
  expect(await read(view.id)).toEqual({ ...view, lastUsedAt: null });
});

test('an expired key can still be revoked, once', async () => {
  const { view } = await makeKey(root, { expiresAt: clock.in(1) });
  clock.advance(2);
  expect((await root.delete(`/v1/api-keys/${view.id}`)).body.revokedAt).toBe(clock.in(0));
  expect((await eventsOf(gala, view.id)).map(({ type }) => type)).toEqual([
    'api_key.created',
    'api_key.revoked',
  ]);
});

describe('a key can’t make one that outlives it', () => {
  test('without an expiry of its own the new key ends with its maker', async () => {
    const maker = await makeKey(root, { expiresAt: clock.in(100) });
    for (const fields of [{}, { expiresAt: null }]) {
      expect((await makeKey(maker.client, fields)).view.expiresAt).toBe(clock.in(100));
    }
  });

  test('sooner and at the same moment are fine, later is forbidden', async () => {
    const maker = await makeKey(root, { expiresAt: clock.in(100) });
    for (const seconds of [50, 100]) {
      expect((await makeKey(maker.client, { expiresAt: clock.in(seconds) })).view.expiresAt).toBe(
        clock.in(seconds),
      );
    }
    const before = await visibleTo(root);
    expectForbidden(await maker.client.post('/v1/api-keys', { name: 'x', expiresAt: clock.in(100.001) }));
    expect(await visibleTo(root)).toEqual(before);
  });

  test('nor in the grace that a rotation left it', async () => {
    const maker = await makeKey(root);
    await rotateKey(root, maker.view.id, 60);
    const inputs = [{}, { expiresAt: null }, { expiresAt: clock.in(61) }];
    for (const input of inputs) {
      const { status, body } = await maker.client.post('/v1/api-keys', { name: 'x', ...input });
      expect([201, 403]).toContain(status);
      if (status === 201) expect(end(body)).toBeLessThanOrEqual(Date.parse(clock.in(60)));
    }
    expect((await maker.client.post('/v1/api-keys', { name: 'x', expiresAt: clock.in(60) })).status).toBe(
      201,
    );
  });
});

describe('rotation widens no key’s time', () => {
  test('the successor expires when the old key would have', async () => {
    const old = await makeKey(root, { expiresAt: clock.in(100) });
    const next = await rotateKey(root, old.view.id, 10);
    expect(next.view.expiresAt).toBe(clock.in(100));
    expect((await rotateKey(root, next.view.id, 10)).view.expiresAt).toBe(clock.in(100));
    clock.advance(100);
    expectUnauthorized(await next.client.get('/v1/me'));
  });

  test('a grace beyond its expiry doesn’t prolong the old key', async () => {
    const old = await makeKey(root, { expiresAt: clock.in(100) });
    await rotateKey(root, old.view.id, 1000);
    expect((await read(old.view.id)).expiresAt).toBe(clock.in(100));
  });

  test('a second rotation during the grace doesn’t prolong it', async () => {
    const old = await makeKey(root);
    await rotateKey(root, old.view.id, 60);
    await root.post(`/v1/api-keys/${old.view.id}/rotate`, { gracePeriodSeconds: 604_800 });
    expect((await read(old.view.id)).expiresAt).toBe(clock.in(60));
  });

  test('a key in its grace can’t rotate itself into one that outlives it', async () => {
    const old = await makeKey(root);
    await rotateKey(root, old.view.id, 60);
    const { status, body } = await old.client.post(`/v1/api-keys/${old.view.id}/rotate`, {
      gracePeriodSeconds: 30,
    });
    expect([201, 403, 422]).toContain(status);
    if (status === 201) expect(end(body)).toBeLessThanOrEqual(Date.parse(clock.in(60)));
  });
});

describe('a key in its grace period leads to no lasting key', () => {
  test('it can’t rotate a descendant that outlives it', async () => {
    const old = await makeKey(root);
    const child = await makeKey(old.client);
    const grandchild = await makeKey(child.client);
    await rotateKey(root, old.view.id, 60);
    const before = await visibleTo(root);
    for (const { view } of [child, grandchild]) {
      for (const gracePeriodSeconds of [0, 60, 604_800]) {
        const answer = await old.client.post(`/v1/api-keys/${view.id}/rotate`, { gracePeriodSeconds });
        expectForbidden(answer);
        expect(answer.body.error.message).toContain(clock.in(60));
      }
      expect(await read(view.id)).toMatchObject({ expiresAt: null, revokedAt: null });
    }
    expect(await visibleTo(root)).toEqual(before);
  });

  test('it can rotate what it makes then, which ends with it', async () => {
    const old = await makeKey(root);
    await rotateKey(root, old.view.id, 60);
    const child = await makeKey(old.client);
    for (const caller of [old.client, child.client]) {
      const target = await makeKey(old.client);
      const id = caller === child.client ? child.view.id : target.view.id;
      expect((await rotateKey(caller, id, 0)).view.expiresAt).toBe(clock.in(60));
    }
  });

  test('its successor, its maker and the descendant itself can rotate that descendant', async () => {
    const old = await makeKey(root);
    const children = [await makeKey(old.client), await makeKey(old.client), await makeKey(old.client)];
    const next = await rotateKey(root, old.view.id, 60);
    for (const [index, caller] of [next.client, root, children[2]!.client].entries()) {
      expect((await rotateKey(caller, children[index]!.view.id, 0)).view.expiresAt).toBeNull();
    }
  });
});
