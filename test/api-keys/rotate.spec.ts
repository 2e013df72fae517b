import { Clock } from '../../src/kernel/clock';
import { idOf, type KeyBody, makeKey, rotateKey, visibleTo } from '../support/api-keys';
import { eventsOf } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { expectInvalid, expectNotFound, expectUnauthorized } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(20_000);

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let root: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  root = await workspace.client();
});

const read = async (id: string): Promise<KeyBody> => (await root.get(`/v1/api-keys/${id}`)).body;
const rotate = (id: string, body?: unknown, by = root) => by.post(`/v1/api-keys/${id}/rotate`, body);
const works = async (client: Client) => (await client.get('/v1/me')).status === 200;

describe('a successor', () => {
  test('is answered like a new key, with the name and scopes of the old one', async () => {
    const old = await makeKey(root, { name: 'Website', scopes: ['leads:read', 'leads:write'] });
    clock.advance(60);
    const { status, headers, body } = await rotate(old.view.id);
    expect(status).toBe(201);
    expect(headers).toMatchObject({ location: `/v1/api-keys/${body.id}`, 'cache-control': 'no-store' });
    expect(body).toEqual({
      ...old.view,
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^gala_live_[0-9A-Za-z]{38}$/),
      last4: body.key.slice(-4),
      createdAt: clock.in(0),
      createdBy: await idOf(root),
    });
    expect([body.id, body.key]).not.toContain(old.view.id);
    expect(body.key).not.toBe(old.secret);
  });

  test('works at once; a key may rotate itself', async () => {
    const old = await makeKey(root, { scopes: ['leads:read'] });
    const next = await rotateKey(old.client, old.view.id, 60);
    expect(next.view.createdBy).toBe(old.view.id);
    expect((await next.client.get('/v1/leads')).status).toBe(200);
    expect((await old.client.get('/v1/leads')).status).toBe(200);
  });

  test('of a sandbox key is one too', async () => {
    const sandbox = await workspace.client('test');
    expect((await rotateKey(sandbox, await idOf(sandbox))).secret).toMatch(/^gala_test_/);
  });

  test('takes the old key’s place: the old one and its descendants are seen by it, not the other way round', async () => {
    const parent = await makeKey(root);
    const sibling = await makeKey(parent.client);
    const old = await makeKey(parent.client);
    const child = await makeKey(old.client);
    const next = await rotateKey(old.client, old.view.id, 60);
    expect(await visibleTo(next.client)).toEqual([next.view.id, old.view.id, child.view.id].sort());
    expect(await visibleTo(old.client)).toEqual([old.view.id, child.view.id].sort());
    expectNotFound(await old.client.get(`/v1/api-keys/${next.view.id}`));
    expectNotFound(await sibling.client.get(`/v1/api-keys/${next.view.id}`));
    expect(await visibleTo(parent.client)).toEqual(
      [parent, sibling, old, child, next].map(({ view }) => view.id).sort(),
    );
    expect((await next.client.delete(`/v1/api-keys/${old.view.id}`)).status).toBe(200);
    expect(await works(old.client)).toBe(false);
  });

  test('of a key that the operator made sees what that key saw', async () => {
    const id = await idOf(root);
    const child = await makeKey(root);
    const next = await rotateKey(root, id, 60);
    expect(await visibleTo(next.client)).toEqual([next.view.id, id, child.view.id].sort());
  });

  test('goes on when the old key is revoked', async () => {
    const old = await makeKey(root);
    const next = await rotateKey(root, old.view.id);
    await root.delete(`/v1/api-keys/${old.view.id}`);
    expect(await works(next.client)).toBe(true);
  });
});

describe('the grace', () => {
  test.each([
    [undefined, 86_400],
    [{}, 86_400],
    [{ gracePeriodSeconds: null }, 86_400],
    [{ gracePeriodSeconds: 1 }, 1],
    [{ gracePeriodSeconds: 604_800 }, 604_800],
  ])('%j: the old key works for so long, and ends then', async (body, seconds) => {
    const old = await makeKey(root);
    const next = await rotate(old.view.id, body);
    expect(next.status).toBe(201);
    expect(await read(old.view.id)).toEqual({ ...old.view, expiresAt: clock.in(seconds) });
    clock.advance(seconds - 0.001);
    expect(await works(old.client)).toBe(true);
    clock.advance(0.001);
    expectUnauthorized(await old.client.get('/v1/me'));
    expect((await read(old.view.id)).revokedAt).toBeNull();
    expect(await read(next.body.id)).toMatchObject({ expiresAt: null, revokedAt: null });
  });

  test('of none revokes the old key at once', async () => {
    const old = await makeKey(root);
    const next = await rotateKey(root, old.view.id, 0);
    expectUnauthorized(await old.client.get('/v1/me'));
    expect(await read(old.view.id)).toEqual({ ...old.view, revokedAt: clock.in(0) });
    expect(await works(next.client)).toBe(true);
  });

  test.each([-1, 604_801, 1.5, '60', true, [], {}, 1e400])('%j is refused', async (gracePeriodSeconds) => {
    const old = await makeKey(root);
    const json = gracePeriodSeconds === 1e400 ? '{"gracePeriodSeconds":1e400}' : { gracePeriodSeconds };
    expectInvalid(await rotate(old.view.id, json), 'gracePeriodSeconds');
    expect(await read(old.view.id)).toEqual(old.view);
  });

  test.each(['scopes', 'name', 'expiresAt', 'mode'])('the field %s is not taken', async (field) => {
    const old = await makeKey(root);
    expectInvalid(await rotate(old.view.id, { [field]: null }), field);
  });
});

describe('a key that has ended can’t be rotated', () => {
  test('revoked', async () => {
    const { view } = await makeKey(root);
    await root.delete(`/v1/api-keys/${view.id}`);
    expectInvalid(await rotate(view.id), 'revokedAt');
    expectInvalid(await rotate(view.id, { gracePeriodSeconds: 0 }), 'revokedAt');
  });

  test('expired, or past its grace', async () => {
    const expiring = await makeKey(root, { expiresAt: clock.in(10) });
    const rotated = await makeKey(root);
    await rotateKey(root, rotated.view.id, 10);
    clock.advance(10);
    expectInvalid(await rotate(expiring.view.id), 'expiresAt');
    expectInvalid(await rotate(rotated.view.id), 'expiresAt');
  });
});

describe('events', () => {
  test('api_key.created tells of the successor alone, without its secret, while the old key has a grace', async () => {
    const old = await makeKey(root);
    const next = await rotateKey(root, old.view.id, 60);
    expect(await eventsOf(gala, next.view.id)).toMatchObject([{ type: 'api_key.created', data: next.view }]);
    expect((await eventsOf(gala, next.view.id))[0]!.data).not.toHaveProperty('key');
    expect((await eventsOf(gala, old.view.id)).map(({ type }) => type)).toEqual(['api_key.created']);
  });

  test('api_key.revoked tells of the old key when it has none', async () => {
    const old = await makeKey(root);
    await rotateKey(root, old.view.id, 0);
    const events = await eventsOf(gala, old.view.id);
    expect(events.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked']);
    expect(events[1]!.data).toEqual(await read(old.view.id));
  });

  test('a refused rotation appends none and makes no key', async () => {
    const { view } = await makeKey(root);
    await root.delete(`/v1/api-keys/${view.id}`);
    const before = await visibleTo(root);
    await rotate(view.id);
    await rotate(view.id, { gracePeriodSeconds: -1 });
    expect(await visibleTo(root)).toEqual(before);
    expect((await eventsOf(gala, view.id)).map(({ type }) => type)).toEqual([
      'api_key.created',
      'api_key.revoked',
    ]);
  });
});

describe('rotations of one key at once', () => {
  test('without grace one of them wins', async () => {
    const old = await makeKey(root);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rotate(old.view.id, { gracePeriodSeconds: 0 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
    expect(await visibleTo(root)).toHaveLength(3);
    expect(await works(old.client)).toBe(false);
  });

  test('with grace every successor works and stands in the lineage, and the old key ends with the first grace', async () => {
    const old = await makeKey(root);
    const answers = await Promise.all(
      [3600, 60, 7200, 600, 604_800].map((gracePeriodSeconds) =>
        rotate(old.view.id, { gracePeriodSeconds }, old.client),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 422]).toContain(status);
    for (const { body } of made) expect((await root.get(`/v1/api-keys/${body.id}`)).status).toBe(200);
    expect(new Set(made.map(({ body }) => body.key)).size).toBe(made.length);
    expect(await visibleTo(root)).toEqual(
      [await idOf(root), old.view.id, ...made.map(({ body }) => body.id)].sort(),
    );
    const { expiresAt } = await read(old.view.id);
    expect([clock.in(60), clock.in(600), clock.in(3600), clock.in(7200), clock.in(604_800)]).toContain(
      expiresAt,
    );
    expect(await visibleTo(old.client)).toEqual([old.view.id]);
  });
});
