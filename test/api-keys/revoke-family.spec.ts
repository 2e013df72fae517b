import type { Person } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { type ApiKeyId, toUuid } from '../../src/kernel/ids';
import type { WorkspaceRef } from '../../src/kernel/principal';
import { CreateApiKey, RevokeApiKey, WorkspaceApiKeys } from '../../src/modules/api-keys';
import { auditRecords } from '../audit-log/records';
import { idOf, makeKey, type MadeKey, rotateKey } from '../support/api-keys';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';

const clock = new FakeClock();
let gala: TestGala;
let owner: Person;
let workspace: TestWorkspace;
let ref: WorkspaceRef;
let root: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  owner = await ownerOf(gala);
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  ref = { workspaceId: workspace.id, mode: 'live' };
  root = (await makeRoot()).client;
});

const makeRoot = async () => {
  const input = { name: 'Root', scopes: ['leads:read'], expiresAt: null };
  const { key, token } = await gala.app.get(CreateApiKey, { strict: false }).byPerson(ref, owner, input);
  return { id: key.id, client: new Client(gala.baseUrl, token) };
};
const revokeFamily = (id: string) =>
  gala.app
    .get(RevokeApiKey, { strict: false })
    .byPerson(ref, owner, id as ApiKeyId, { andDescendants: true });
const works = async (client: Client) => (await client.get('/v1/me')).status === 200;
const alive = async () =>
  (
    await sql<{ name: string }>(
      gala.databaseUrl,
      'SELECT name FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL ORDER BY name',
      [toUuid(workspace.id)],
    )
  ).map(({ name }) => name);
/** How often each key of the workspace was said to be revoked. */
const revocations = async () => {
  const revoked = (await allEvents(gala, workspace.id)).filter(({ type }) => type === 'api_key.revoked');
  return revoked.map(({ data }) => data.id as string).sort();
};

describe('revoking a key and its descendants', () => {
  test('ends them all at once, also those below one that had ended already, and nobody else', async () => {
    const a = await makeKey(root, { name: 'a' });
    const a1 = await makeKey(a.client, { name: 'a1' });
    const a2 = await makeKey(a1.client, { name: 'a2' });
    const expiring = await makeKey(a.client, { name: 'expiring', expiresAt: clock.in(1) });
    const b = await makeKey(root, { name: 'b' });
    await root.delete(`/v1/api-keys/${a1.view.id}`);
    clock.advance(1);
    const revoked = await revokeFamily(a.view.id);
    expect(revoked.map(({ id }) => id)).toEqual([a.view.id, a2.view.id]);
    expect(revoked.map(({ revokedAt }) => revokedAt)).toEqual([clock.now(), clock.now()]);
    expect(await Promise.all([a, a1, a2, expiring, b].map(({ client }) => works(client)))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(await works(root)).toBe(true);
    expect(await revocations()).toEqual([a1.view.id, a.view.id, a2.view.id].sort());
    const [ofA2, ofA] = await auditRecords(gala, workspace.id);
    expect(ofA).toMatchObject({ summary: 'Revoked the API key a', actor: owner, details: {} });
    expect(ofA2).toMatchObject({ summary: 'Revoked the API key a2', details: { withAncestor: a.view.id } });
    expect(ofA2!.target.id).toBe(a2.view.id);
  });

  test('reaches those of a key that is revoked itself, and then none', async () => {
    const a = await makeKey(root);
    const a1 = await makeKey(a.client);
    await root.delete(`/v1/api-keys/${a.view.id}`);
    expect((await revokeFamily(a.view.id)).map(({ id }) => id)).toEqual([a1.view.id]);
    expect(await revokeFamily(a.view.id)).toEqual([]);
  });

  test('takes a rotated key along with its successor, and not the other way round', async () => {
    const old = await makeKey(root);
    const next = await rotateKey(root, old.view.id, 60);
    expect((await revokeFamily(old.view.id)).map(({ id }) => id)).toEqual([old.view.id]);
    expect(await works(next.client)).toBe(true);
    const older = await makeKey(root);
    const newer = await rotateKey(root, older.view.id, 60);
    expect((await revokeFamily(newer.view.id)).map(({ id }) => id)).toEqual([newer.view.id, older.view.id]);
  });
});

describe('while its descendants are at work', () => {
  /** Keys keep making keys and rotating each other until they are told that they have ended. */
  const breed = async (client: Client, id: string, depth = 0): Promise<void> => {
    const offspring: Promise<void>[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const path = turn === 1 ? `/v1/api-keys/${id}/rotate` : '/v1/api-keys';
      const { status, body } = await client.post(
        path,
        turn === 1 ? { gracePeriodSeconds: 600 } : { name: 'new' },
      );
      expect([201, 401, 422]).toContain(status);
      if (status === 401) break;
      if (status === 201 && depth < 3) {
        offspring.push(breed(new Client(gala.baseUrl, body.key), body.id, depth + 1));
      }
    }
    await Promise.all(offspring);
  };

  test('no key that they make at the same moment survives', async () => {
    await revokeFamily(await idOf(root));
    for (let round = 0; round < 8; round++) {
      const top = await makeRoot();
      const a = await makeKey(top.client);
      const a1 = await makeKey(a.client);
      const breeding = [breed(a.client, a.view.id), breed(a1.client, a1.view.id)];
      await new Promise((resolve) => setTimeout(resolve, 10 * round));
      await revokeFamily(top.id);
      await Promise.all(breeding);
      expect(await alive()).toEqual([]);
      const { descendants } = await gala.app.get(WorkspaceApiKeys, { strict: false }).get(ref, top.id);
      expect(descendants).toEqual([]);
    }
    const ids = await revocations();
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('overlapping revocations and rotations wait for each other without a deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const chain: MadeKey[] = [await makeKey(root)];
      for (let depth = 0; depth < 4; depth++) chain.push(await makeKey(chain.at(-1)!.client));
      const rotations = chain.map(({ client, view }) =>
        client.post(`/v1/api-keys/${view.id}/rotate`, { gracePeriodSeconds: 600 }),
      );
      const single = root.delete(`/v1/api-keys/${chain[2]!.view.id}`);
      const families = chain.toReversed().map(({ view }) => revokeFamily(view.id));
      await Promise.all(families);
      expect((await single).status).toBe(200);
      for (const { status } of await Promise.all(rotations)) expect([201, 401, 404, 422]).toContain(status);
      const ids = await revocations();
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(chain.map(({ view }) => view.id)));
    }
  });
});
