import { createHash } from 'node:crypto';
import { makeKey, rotateKey } from '../support/api-keys';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(20_000);

let gala: TestGala;
let workspace: TestWorkspace;
let root: Client;
let flush: () => void;
beforeAll(async () => {
  const timers = jest.spyOn(global, 'setInterval');
  gala = await startGala();
  flush = timers.mock.calls.find(([, interval]) => interval === 10_000)![0];
  timers.mockRestore();
  workspace = await gala.createWorkspace();
  root = await workspace.client();
});
afterAll(() => gala.stop());

/** Every value of every row of every table, as text. */
async function everythingStored(): Promise<string> {
  const tables = await sql<{ name: string }>(
    gala.databaseUrl,
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(5);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      sql<{ row: string }>(gala.databaseUrl, `SELECT t::text AS row FROM ${name} AS t`),
    ),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

test('of a secret the database and the log hold a hash and the last four characters, nothing else', async () => {
  const made = await makeKey(root, { scopes: ['leads:read'] });
  const rotated = await rotateKey(root, made.view.id, 60);
  const secrets = [root.key!, made.secret, rotated.secret, await workspace.key('test')];
  for (const secret of secrets) {
    const client = new Client(gala.baseUrl, secret);
    await client.get('/v1/leads');
    await client.post('/v1/leads', { email: 'nowhere' });
    await client.get(`/v1/leads?access_token=${secret}`);
  }
  const stored = await everythingStored();
  const logged = gala.logged.join('\n');
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    const random = secret.slice('gala_live_'.length, -6);
    for (const text of [
      secret,
      random,
      random.slice(0, 8),
      random.slice(-8),
      bytes.toString('hex'),
      bytes.toString('base64').slice(0, 40),
    ]) {
      expect(stored).not.toContain(text);
      expect(logged).not.toContain(text);
    }
    expect(stored).toContain(createHash('sha256').update(secret).digest('hex'));
    expect(stored).toContain(`,${secret.slice(-4)},`);
  }
});

test('two keys never share a secret', async () => {
  const secrets = await Promise.all(Array.from({ length: 50 }, async () => (await makeKey(root)).secret));
  expect(new Set(secrets).size).toBe(50);
});

describe('lastUsedAt', () => {
  const lastUse = async (id: string): Promise<string | null> =>
    (await root.get(`/v1/api-keys/${id}`)).body.lastUsedAt;
  const lastUseAfterFlush = async (id: string): Promise<string> => {
    const before = await lastUse(id);
    flush();
    for (const start = Date.now(); Date.now() - start < 10_000;) {
      const now = await lastUse(id);
      if (now !== before) return now!;
    }
    throw new Error('No last use was stored.');
  };

  test('is null until the key was used, and then the moment of its last use', async () => {
    const { view, client } = await makeKey(root, { scopes: ['leads:read'] });
    expect(await lastUse(view.id)).toBeNull();
    const started = new Date().toISOString();
    await client.get('/v1/leads');
    const first = await lastUseAfterFlush(view.id);
    expect(first >= started && first <= new Date().toISOString()).toBe(true);
    await client.get('/v1/leads');
    expect((await lastUseAfterFlush(view.id)) >= first).toBe(true);
  });

  test('counts requests that end in a refusal', async () => {
    const { view, client } = await makeKey(root);
    expect((await client.get('/v1/leads')).status).toBe(403);
    expect(await lastUseAfterFlush(view.id)).not.toBeNull();
  });

  test('never runs backwards, whatever another instance has stored meanwhile', async () => {
    const [ahead, usual] = [await makeKey(root), await makeKey(root)];
    await sql(gala.databaseUrl, `UPDATE api_keys SET last_used_at = '2100-01-01Z' WHERE hash = $1`, [
      createHash('sha256').update(ahead.secret).digest(),
    ]);
    await Promise.all([ahead.client.get('/v1/me'), usual.client.get('/v1/me')]);
    await lastUseAfterFlush(usual.view.id);
    expect(await lastUse(ahead.view.id)).toBe('2100-01-01T00:00:00.000Z');
  });

  test('stays when the key is revoked or rotated', async () => {
    const { view, client } = await makeKey(root);
    await client.get('/v1/me');
    const used = await lastUseAfterFlush(view.id);
    const next = await rotateKey(root, view.id, 60);
    expect(next.view.lastUsedAt).toBeNull();
    expect((await root.delete(`/v1/api-keys/${view.id}`)).body.lastUsedAt).toBe(used);
    expect(await lastUse(view.id)).toBe(used);
  });
});

describe('what is almost a key is none', () => {
  test('another case, other characters, less or more of it', async () => {
    const { secret } = await makeKey(root);
    const swapped = secret.replace(/[a-z](?=[^_]*$)/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const key of [
      swapped,
      secret.toLowerCase(),
      secret.toUpperCase(),
      secret.slice(0, -1),
      `${secret}0`,
      secret.replace('live', 'test'),
      secret.slice(10),
      secret.slice(0, -6),
      `${secret.slice(0, -6)}000000`,
    ]) {
      expect((await new Client(gala.baseUrl, key).get('/v1/me')).status).toBe(401);
    }
    expect((await new Client(gala.baseUrl, secret).get('/v1/me')).status).toBe(200);
  });

  test('the id of a key opens nothing', async () => {
    const { view } = await makeKey(root);
    expect((await new Client(gala.baseUrl, view.id).get('/v1/me')).status).toBe(401);
  });
});
