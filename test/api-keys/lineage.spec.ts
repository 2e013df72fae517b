import { newId } from '../../src/kernel/ids';
import { Clock } from '../../src/kernel/clock';
import { idOf, makeKey, type MadeKey, visibleTo } from '../support/api-keys';
import { FakeClock } from '../support/fake-clock';
import { Client, type Answer } from '../support/http-client';
import { expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
/** The tree of keys: root → a → a1 → a2, and root → b. */
let root: Client;
let rootId: string;
let a: MadeKey, a1: MadeKey, a2: MadeKey, b: MadeKey;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  root = await workspace.client();
  rootId = await idOf(root);
  a = await makeKey(root);
  a1 = await makeKey(a.client);
  a2 = await makeKey(a1.client);
  b = await makeKey(root);
});

const ids = (...keys: (MadeKey | string)[]) =>
  keys.map((key) => (typeof key === 'string' ? key : key.view.id)).sort();

test('a key sees itself and the keys descended from it', async () => {
  expect(await visibleTo(root)).toEqual(ids(rootId, a, a1, a2, b));
  expect(await visibleTo(a.client)).toEqual(ids(a, a1, a2));
  expect(await visibleTo(a1.client)).toEqual(ids(a1, a2));
  expect(await visibleTo(b.client)).toEqual(ids(b));
});

test('it can read each of these by its id', async () => {
  for (const key of [a, a1, a2])
    expect((await a.client.get(`/v1/api-keys/${key.view.id}`)).body).toEqual(key.view);
});

describe('its maker, its siblings and the keys of others are not there for it', () => {
  const options = { headers: { 'X-Request-Id': 'same' } };
  const calls: [string, (caller: Client, id: string) => Promise<Answer>][] = [
    ['GET', (caller, id) => caller.get(`/v1/api-keys/${id}`, options)],
    ['DELETE', (caller, id) => caller.delete(`/v1/api-keys/${id}`, options)],
    ['rotate', (caller, id) => caller.post(`/v1/api-keys/${id}/rotate`, {}, options)],
  ];
  const shown = ({ status, headers, text }: Answer, id: string) => {
    const { date: _, ...others } = headers;
    return {
      status,
      headers: { ...others, 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' },
      text: text.replaceAll(id, 'ID'),
    };
  };

  test.each(calls)('%s: the same bytes as for an id that never was', async (_, call) => {
    const foreign = [
      rootId,
      b.view.id,
      await idOf(await workspace.client()),
      await idOf(await workspace.client('test')),
      await idOf(await (await gala.createWorkspace()).client()),
    ];
    const never = newId('key');
    const unknown = await call(a.client, never);
    expectNotFound(unknown);
    for (const id of foreign) expect(shown(await call(a.client, id), id)).toEqual(shown(unknown, never));
    expect((await root.get('/v1/me')).status).toBe(200);
    expect((await b.client.get('/v1/me')).status).toBe(200);
  });

  test.each([
    'undefined',
    'null',
    'key_',
    '1',
    '%FF',
    `lead_${newId('key').slice(4)}`,
    newId('key').toUpperCase(),
  ])('%s is no id of a key', async (id) => {
    for (const [, call] of calls) expectNotFound(await call(root, id));
  });
});

test('lists of two workspaces, two modes and two operators’ keys never mix', async () => {
  const others = [
    await workspace.client('test'),
    await workspace.client(),
    await (await gala.createWorkspace()).client(),
  ];
  for (const other of others) {
    const answer = await other.get('/v1/api-keys');
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([await idOf(other)]);
    expect(answer.body.pagination.total).toBe(1);
  }
});

describe('the list', () => {
  test('is newest first, in pages and by cursor', async () => {
    clock.advance(1);
    const last = await makeKey(b.client);
    expect((await root.get('/v1/api-keys?limit=1')).body.data).toEqual([last.view]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer = await root.get(`/v1/api-keys?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.pagination).toMatchObject({ total: 6, pages: 3, limit: 2 });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.pagination.nextCursor;
    }
    expect(seen).toEqual((await root.get('/v1/api-keys')).body.data.map(({ id }: { id: string }) => id));
    expect(new Set(seen).size).toBe(6);
  });

  test('a cursor of one key is of no use to another', async () => {
    const { nextCursor } = (await root.get('/v1/api-keys?limit=1')).body.pagination;
    const { status, body } = await b.client.get(`/v1/api-keys?cursor=${nextCursor}`);
    if (status === 200) expect(body.data.every(({ id }: { id: string }) => id === b.view.id)).toBe(true);
    else expect(status).toBe(422);
  });

  test('shows no secret', async () => {
    const { text } = await root.get('/v1/api-keys');
    for (const { secret } of [a, a1, a2, b]) expect(text).not.toContain(secret.slice(10, 42));
    expect(text).not.toMatch(/"(key|hash)":/);
  });

  test.each(['sort=name', 'stage=lost', 'workspaceId=x', 'mode=test', 'page=0', 'limit=0', 'cursor=x'])(
    '%s is refused',
    async (query) => expectInvalid(await root.get(`/v1/api-keys?${query}`), query.split('=')[0]!),
  );

  test('takes no parameters beside it', async () =>
    expectInvalid(await root.get(`/v1/api-keys/${a.view.id}?page=1`), 'page'));
});
