import { Clock } from '../../src/kernel/clock';
import { type MadeKey, makeKey } from '../support/api-keys';
import { FakeClock } from '../support/fake-clock';
import type { Answer, Client } from '../support/http-client';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(30_000);

const MAX = 5;

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
/** The first of the keys. */
let root: Client;
beforeAll(async () => {
  gala = await startGala({
    configuration: { maxApiKeys: MAX },
    overrides: [{ provide: Clock, useValue: clock }],
  });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  root = await workspace.client();
});

const create = (fields: object = {}): Promise<Answer> =>
  root.post('/v1/api-keys', { name: 'One', ...fields });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

async function fill(): Promise<MadeKey[]> {
  const keys: MadeKey[] = [];
  while (keys.length < MAX - 1) keys.push(await makeKey(root));
  return keys;
}

test('a workspace has so many live keys in each mode, and is told what to do about more', async () => {
  await fill();
  const refused = await create();
  expectInvalid(refused, 'name');
  expect(refused.body.error.message).toContain(`${MAX} live live keys`);
  expect(refused.body.error.message).toContain('Revoke one');
  expect((await (await workspace.client('test')).post('/v1/api-keys', { name: 'Test' })).status).toBe(201);
  await expect(workspace.key('live')).rejects.toThrow('Revoke one');
});

test('a key that was revoked or has expired makes room', async () => {
  const [first] = await fill();
  await root.delete(`/v1/api-keys/${first!.view.id}`);
  expect((await create({ expiresAt: clock.in(60) })).status).toBe(201);
  expectInvalid(await create(), 'name');
  clock.advance(61);
  expect((await create()).status).toBe(201);
  expectInvalid(await create(), 'name');
});

test('however many are made at once, there are no more', async () => {
  const others = await Promise.all([1, 2].map(() => makeKey(root)));
  const makers = [root, ...others.map(({ client }) => client)];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => makers[index % 3]!.post('/v1/api-keys', { name: 'One' })),
  );
  expect(statuses(answers)).toEqual([201, 201, ...Array.from({ length: 10 }, () => 422)]);
  const [row] = await sql<{ count: number }>(
    gala.databaseUrl,
    `SELECT count(*)::int AS count FROM api_keys WHERE workspace_id = (SELECT workspace_id FROM api_keys WHERE last4 = $1 AND name = 'Test key' ORDER BY created_at DESC LIMIT 1)`,
    [root.key!.slice(-4)],
  );
  expect(row!.count).toBe(MAX);
});

test('a rotation with a grace needs room for both keys; without one it is always possible', async () => {
  const [first] = await fill();
  const rotate = (gracePeriodSeconds?: number) =>
    root.post(`/v1/api-keys/${first!.view.id}/rotate`, { gracePeriodSeconds });
  const refused = await rotate();
  expectInvalid(refused, 'gracePeriodSeconds');
  expect(refused.body.error.message).toContain('must be 0');
  expect((await first!.client.get('/v1/me')).status).toBe(200);
  expect((await rotate(0)).status).toBe(201);
  expectInvalid(await create(), 'name');
});

test('rotations at once leave no more either', async () => {
  const keys = await fill();
  await root.delete(`/v1/api-keys/${keys.pop()!.view.id}`);
  const answers = await Promise.all(
    keys.map(({ client, view }) => client.post(`/v1/api-keys/${view.id}/rotate`, { gracePeriodSeconds: 60 })),
  );
  expect(statuses(answers)).toEqual([201, 422, 422]);
});
