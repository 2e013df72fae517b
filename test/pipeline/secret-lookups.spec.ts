import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { newSecretToken } from '../../src/kernel/secret-token';
import { newToken } from '../../src/modules/api-keys/domain/api-key-token';
import { expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const LIMIT = 5;
const MANY = 4 * LIMIT;
let gala: TestGala;
let workspace: TestWorkspace;
beforeEach(async () => {
  gala = await startGala({
    configuration: {
      rateLimits: { reads: 1000, writes: 1000, address: LIMIT },
      publicRateLimits: { pages: LIMIT, files: 1000 },
      trustedProxies: ['127.0.0.0/8'],
    },
  });
  workspace = await gala.createWorkspace();
});
afterEach(() => gala.stop());

const at = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
const STRANGER = at('203.0.113.9');

/** How many statements on a table the requests cause. */
async function lookupsIn(table: string, requests: () => Promise<unknown>): Promise<number> {
  const { master: pool } = gala.app.get(DataSource).driver as unknown as { master: Pool };
  const spy = jest.spyOn(pool, 'query');
  await requests();
  const texts = spy.mock.calls.map(([statement]) => (statement as unknown as { text: string }).text);
  spy.mockRestore();
  return texts.filter((text) => new RegExp(`FROM "?${table}\\b`).test(text)).length;
}

const get = (token: string, options = STRANGER) => new Client(gala.baseUrl, token).get('/v1/me', options);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe.each([
  ['keys', 'api_keys', () => newToken('live')],
  ['access tokens', 'oauth_access_tokens', () => `gala_at_${newSecretToken()}`],
])('unknown %s', (_, table, token) => {
  test('are looked up as often as the limit of their address says, however many are sent', async () => {
    const lookups = await lookupsIn(table, async () => {
      for (let count = 0; count < MANY; count++) {
        expectRefusal(await get(token()), count < LIMIT ? 401 : 429);
      }
      await Promise.all(times(MANY, () => get(token())));
    });
    expect(lookups).toBe(LIMIT);
    expectRefusal(await get(token(), at('203.0.113.10')), 401);
  });

  test('are looked up no more often when they come at once, or are the same', async () => {
    const same = token();
    const lookups = await lookupsIn(table, () =>
      Promise.all([...times(MANY, () => get(token())), ...times(MANY, () => get(same))]),
    );
    expect(lookups).toBeLessThanOrEqual(LIMIT);
  });
});

test('a key in use works on at an address that sends many unknown ones', async () => {
  const used = await workspace.key('live');
  expect(await Promise.all(times(MANY, async () => (await get(used)).status))).toEqual(
    times(MANY, () => 200),
  );
  for (let count = 0; count < MANY; count++) await get(newToken('live'));
  expect((await get(used)).status).toBe(200);
});

test('what exists isn’t counted, revoked or not', async () => {
  for (let count = 0; count < MANY; count++)
    expect((await get(await workspace.key('live'))).status).toBe(200);
  const revoked = await workspace.key('live');
  const { id } = (await get(revoked)).body.credential;
  expect((await new Client(gala.baseUrl, revoked).delete(`/v1/api-keys/${id}`)).status).toBe(200);
  for (let count = 0; count < MANY; count++) expectRefusal(await get(revoked), 401);
});

test('made-up sessions are looked up as often as the limit of their address says', async () => {
  const lookups = await lookupsIn('sessions', async () => {
    for (let count = 0; count < MANY; count++) {
      const headers = { ...STRANGER.headers, Cookie: `gala=${newSecretToken()}` };
      const { status } = await gala.anonymous.get('/settings', { headers });
      expect(status).toBe(count < LIMIT ? 303 : 429);
    }
  });
  expect(lookups).toBe(LIMIT);
});
