import { crc32 } from 'node:zlib';
import { Clock } from '../../src/kernel/clock';
import { idOf, makeKey } from '../support/api-keys';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { expectForbidden, expectInvalid, expectUnauthorized } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  workspace = await gala.createWorkspace();
  client = await workspace.client('live', ['leads:read', 'leads:write', 'webhooks:write']);
});
afterAll(() => gala.stop());

const create = (fields: object = {}, by = client) => by.post('/v1/api-keys', { name: 'New', ...fields });

describe('a new key', () => {
  test('is answered whole, with its secret this once, and never stored by a cache', async () => {
    const { status, headers, body } = await create({ name: 'Website form', scopes: ['leads:read'] });
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.location).toBe(`/v1/api-keys/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      name: 'Website form',
      scopes: ['leads:read'],
      mode: 'live',
      key: expect.stringMatching(/^gala_live_[0-9A-Za-z]{38}$/),
      last4: body.key.slice(-4),
      createdAt: clock.in(0),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdBy: await idOf(client),
    });
    const { key: _, ...view } = body;
    expect((await client.get(headers.location!)).body).toEqual(view);
    expect((await client.get('/v1/api-keys')).body.data).toContainEqual(view);
  });

  test('ends in a checksum of the rest', async () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let index = 0; index < 10; index++) {
      const { secret } = await makeKey(client);
      const value = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
      expect(value).toBe(crc32(secret.slice(0, -6)));
    }
  });

  test('works at once, with its own scopes and no others', async () => {
    const reader = await makeKey(client, { scopes: ['leads:read'] });
    expect((await reader.client.get('/v1/leads')).status).toBe(200);
    expectForbidden(await reader.client.post('/v1/leads', { email: 'a@b.co' }));
  });

  test('of a sandbox key is a sandbox key', async () => {
    const sandbox = await makeKey(await workspace.client('test'), { scopes: ['leads:read'] });
    expect(sandbox.view.mode).toBe('test');
    expect(sandbox.secret).toMatch(/^gala_test_/);
    expect((await sandbox.client.get('/v1/me')).body.mode).toBe('test');
  });

  test('needs no scope of its maker', async () => {
    const bare = await makeKey(client);
    expect((await makeKey(bare.client)).view.createdBy).toBe(bare.view.id);
  });

  test('appends api_key.created, without the secret', async () => {
    const own = await gala.createWorkspace();
    const maker = await own.client();
    const { view } = await makeKey(maker, { scopes: ['leads:read'] });
    const events = await allEvents(gala, own.id);
    expect(events.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.created']);
    expect(events[1]).toMatchObject({ data: view, previous: null, mode: 'live', timestamp: view.createdAt });
    expect(events[1]!.data).not.toHaveProperty('key');
    expect(Object.keys(events[1]!.data).sort()).toEqual(Object.keys(view).sort());
  });
});

describe('scopes', () => {
  test.each([[undefined], [null], [[]]])(
    '%j: the key may call what needs none, and nothing else',
    async (scopes) => {
      const { view, client: bare } = await makeKey(client, { scopes });
      expect(view.scopes).toEqual([]);
      expect((await bare.get('/v1/me')).status).toBe(200);
      expect((await bare.get('/v1/api-keys')).status).toBe(200);
      expectForbidden(await bare.get('/v1/leads'));
      expectForbidden(await bare.post('/v1/leads', { email: 'a@b.co' }));
      expectForbidden(await create({ scopes: ['leads:read'] }, bare));
    },
  );

  test('duplicates are dropped, order is kept', async () => {
    const scopes = ['leads:write', 'leads:read', 'leads:write'];
    expect((await makeKey(client, { scopes })).view.scopes).toEqual(['leads:write', 'leads:read']);
  });

  test('all of the maker’s may be given', async () => {
    const scopes = ['webhooks:write', 'leads:write', 'leads:read'];
    expect((await makeKey(client, { scopes })).view.scopes).toEqual(scopes);
  });

  test.each([[['proposals:read']], [['leads:read', 'calendar:write']]])(
    '%j, which the maker lacks, are forbidden',
    async (scopes) => {
      const before = (await client.get('/v1/api-keys')).body.pagination.total;
      const answer = await create({ scopes });
      expectForbidden(answer);
      expect(answer.headers['www-authenticate']).toContain(`scope="${scopes.at(-1)}"`);
      expect((await client.get('/v1/api-keys')).body.pagination.total).toBe(before);
    },
  );

  test.each([
    [['leads:*']],
    [['leads']],
    [['LEADS:READ']],
    [['leads:read ']],
    [['leads:read', 'nope']],
    [['*']],
    [['']],
    [[' ']],
    [[null]],
    [[1]],
    [[['leads:read']]],
    ['leads:read'],
    [{ 0: 'leads:read' }],
    [true],
    [['toString']],
    [['__proto__']],
    [['leads:read,leads:write']],
    [['x'.repeat(101)]],
  ])('%j is no list of known scopes', async (scopes) => expectInvalid(await create({ scopes }), 'scopes'));
});

describe('names', () => {
  test('have 1 to 100 code points and are kept as given', async () => {
    for (const name of ['x', '😀'.repeat(100), ' e\u0301 '])
      expect((await makeKey(client, { name })).view.name).toBe(name);
  });

  test.each([undefined, null, '', ' ', '\u3000', '😀'.repeat(101), 5, ['x'], {}, true, 'a\u0000b', '\ud800'])(
    '%j is refused',
    async (name) => expectInvalid(await create({ name }), 'name'),
  );
});

describe('expiry', () => {
  test('lies in the future and is kept to the millisecond', async () => {
    expect((await makeKey(client, { expiresAt: clock.in(0.001) })).view.expiresAt).toBe(clock.in(0.001));
    expect((await makeKey(client, { expiresAt: '2030-01-01T02:00:00.1234+02:00' })).view.expiresAt).toBe(
      '2030-01-01T00:00:00.123Z',
    );
    expect((await makeKey(client, { expiresAt: '9999-12-31T23:59:59.999Z' })).view.expiresAt).toBe(
      '9999-12-31T23:59:59.999Z',
    );
    expect((await makeKey(client, { expiresAt: null })).view.expiresAt).toBeNull();
  });

  test('now or earlier is refused', async () => {
    for (const seconds of [0, -0.001, -1e9])
      expectInvalid(await create({ expiresAt: clock.in(seconds) }), 'expiresAt');
  });

  test.each([
    '',
    '2030',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-02-30T00:00:00Z',
    '10000-01-01T00:00:00Z',
    1893456000,
    'never',
    true,
    [],
    'infinity',
  ])('%j is refused', async (expiresAt) => expectInvalid(await create({ expiresAt }), 'expiresAt'));
});

describe('what else is refused', () => {
  test.each([
    'workspaceId',
    'mode',
    'userId',
    'id',
    'key',
    'createdBy',
    'parentId',
    'revokedAt',
    'lastUsedAt',
    'last4',
    'hash',
  ])('the field %s: a key always belongs to its maker’s workspace and mode', async (field) =>
    expectInvalid(await create({ [field]: 'live' }), field),
  );

  test('all offenders are named', async () => {
    const answer = await create({ name: '', scopes: 'x', expiresAt: 'x', mode: 'live' });
    expect(answer.body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'expiresAt',
      'mode',
      'name',
      'scopes',
    ]);
  });

  test('a request without a key, and one without a body', async () => {
    expectUnauthorized(await create({}, gala.anonymous));
    expect((await client.post('/v1/api-keys')).status).toBe(400);
    expectInvalid(await client.post('/v1/api-keys', {}), 'name');
  });
});
