import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { ManageWebhooks } from '../../src/modules/webhooks';
import { toUuid, type WebhookId } from '../../src/kernel/ids';
import { type Claim, DeliveryQueue } from '../../src/modules/webhooks/infrastructure/delivery-queue';
import { makeKey, type MadeKey, rotateKey } from '../support/api-keys';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { someone } from '../support/people';
import { expectForbidden, expectInvalid, expectNotFound, expectUnauthorized } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(120_000);

const SCOPES = ['webhooks:write', 'leads:read', 'leads:write'];
const EXPIRED = { status: 'disabled', disabledReason: 'The API key that made it has expired.' };
const settings = (path = 'hook') => ({ url: `https://example.com/${path}`, events: ['lead.*'] });

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

const read = async (id: string) => (await root.get(`/v1/webhooks/${id}`)).body;
const deliveries = async (id: string): Promise<number> =>
  (await root.get(`/v1/webhooks/${id}/deliveries`)).body.data.filter(
    ({ eventType }: any) => eventType === 'lead.created',
  ).length;
const createLead = () => root.post('/v1/leads', { email: 'ana@example.com' });
async function subscribe(client: Client): Promise<any> {
  const { status, body } = await client.post('/v1/webhooks', settings());
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}
/** A key in its grace period, which ends in a minute, and an endpoint that it made while it was a lasting key. */
async function keyInGrace(): Promise<{ old: MadeKey; next: MadeKey; endpoint: any }> {
  const old = await makeKey(root, { scopes: SCOPES });
  const endpoint = await subscribe(old.client);
  return { old, next: await rotateKey(root, old.view.id, 60), endpoint };
}

test('an endpoint ends with the key that made it: by its expiry, or by its grace period', async () => {
  const expiring = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
  const { old, next } = await keyInGrace();
  for (const { client } of [expiring, old]) {
    const { id, expiresAt } = await subscribe(client);
    expect(expiresAt).toBe(clock.in(60));
    await createLead();
    clock.advance(59.999);
    await createLead();
    expect(await read(id)).toMatchObject({ status: 'enabled', disabledReason: null });
    clock.advance(0.001);
    await createLead();
    expect(await deliveries(id)).toBe(2);
    expect(await read(id)).toMatchObject(EXPIRED);
    expectInvalid(await root.post(`/v1/webhooks/${id}/test`), 'status');
    expect((await root.get('/v1/webhooks')).body.data).toContainEqual(
      expect.objectContaining({ id, ...EXPIRED }),
    );
    clock.advance(-60);
  }
  expect((await subscribe(next.client)).expiresAt).toBeNull();
});

test('whoever works longer keeps it, before or after it has ended', async () => {
  for (const seconds of [10, 61]) {
    const expiring = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
    const later = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(120) });
    const { id } = await subscribe(expiring.client);
    const until = clock.in(120);
    clock.advance(seconds);
    const enabled = { status: 'enabled', disabledReason: null };
    const path = `/v1/webhooks/${id}`;
    expect((await later.client.patch(path, enabled)).status).toBe(422);
    expect((await later.client.patch(path, { status: 'enabled' })).body).toMatchObject({
      ...enabled,
      expiresAt: until,
    });
    expect((await root.patch(path, { status: 'enabled' })).body).toMatchObject({
      ...enabled,
      expiresAt: null,
    });
    clock.advance(1000);
    await createLead();
    expect(await deliveries(id)).toBe(1);
  }
});

test('a key in its grace period can’t take over a lasting endpoint, only stop it', async () => {
  const { old, next, endpoint } = await keyInGrace();
  const path = `/v1/webhooks/${endpoint.id}`;
  await root.patch(path, { status: 'disabled' });
  for (const answer of [
    await old.client.post(`${path}/rotate-secret`),
    await old.client.patch(path, { url: 'https://evil.example/' }),
    await old.client.patch(path, { events: ['*'] }),
    await old.client.patch(path, { status: 'enabled' }),
  ]) {
    expectForbidden(answer);
    expect(answer.body.error.message).toContain(clock.in(60));
  }
  const { secret: _, ...made } = endpoint;
  expect(await read(endpoint.id)).toEqual({
    ...made,
    status: 'disabled',
    disabledReason: 'Disabled by request.',
    revision: 2,
  });
  expect((await next.client.patch(path, { status: 'enabled' })).status).toBe(200);
  expect((await next.client.post(`${path}/rotate-secret`)).body.secret).toMatch(/^whsec_/);
  expect((await old.client.patch(path, { description: 'Old', status: 'disabled' })).status).toBe(200);
  expect((await old.client.delete(path)).status).toBe(200);
  expectNotFound(await root.get(path));
});

test('its expiry changes the ETag of an endpoint, and whoever goes by the former state is told', async () => {
  const { client } = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
  const { id } = await subscribe(client);
  const path = `/v1/webhooks/${id}`;
  const before = await root.get(path);
  clock.advance(60);
  const after = await root.get(path);
  expect(after.body).toEqual({ ...before.body, ...EXPIRED, revision: Number(before.body.revision) + 1 });
  expect(after.headers.etag).not.toBe(before.headers.etag);
  const extendIf = (etag: string) =>
    root.patch(path, { status: 'enabled' }, { headers: { 'If-Match': etag } });
  expectInvalid(await extendIf(before.headers.etag!), 'If-Match');
  const extended = await extendIf(after.headers.etag!);
  expect(extended.body).toMatchObject({ status: 'enabled', expiresAt: null });
  expect(extended.body.revision).toBeGreaterThan(after.body.revision);
});

test('an endpoint that expires while a delivery is under way keeps the reason and the ETag of its expiry', async () => {
  const { client } = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
  const { id } = await subscribe(client);
  clock.advance(60);
  const expired = await read(id);
  const row = { workspace_id: toUuid(workspace.id), mode: 'live', endpoint_id: toUuid(id as WebhookId) };
  const queue = gala.app.get(DeliveryQueue, { strict: false });
  expect(await queue.disable({ row } as unknown as Claim, 'Gone')).toBe(false);
  expect(await read(id)).toEqual(expired);
});

test('an expiring key does with its own endpoint what it likes', async () => {
  const { client } = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
  const { id, expiresAt } = await subscribe(client);
  const path = `/v1/webhooks/${id}`;
  expect((await client.post(`${path}/rotate-secret`)).status).toBe(200);
  expect((await client.patch(path, { ...settings('new'), events: ['lead.created'] })).status).toBe(200);
  await client.patch(path, { status: 'disabled' });
  expect((await client.patch(path, { status: 'enabled' })).body).toMatchObject({
    status: 'enabled',
    expiresAt,
  });
});

test('a person’s change keeps an endpoint that a key made', async () => {
  const { client } = await makeKey(root, { scopes: SCOPES, expiresAt: clock.in(60) });
  const { id } = await subscribe(client);
  const { id: userId, email } = await someone(gala);
  const actor = { type: 'user', id: userId, name: email, address: null } as const;
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const manage = gala.app.get(ManageWebhooks, { strict: false });
  await manage.change(ref, actor, id as WebhookId, { status: 'enabled' });
  expect(await read(id)).toMatchObject({ expiresAt: null });
});

test('while a key is rotated and revoked, none of its requests leaves a lasting endpoint behind', async () => {
  for (const end of [
    (id: string) => root.post(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }),
    (id: string) => root.delete(`/v1/api-keys/${id}`),
  ]) {
    const { view, client } = await makeKey(root, { scopes: SCOPES });
    let over = false;
    const made: any[] = [];
    const attempts = Array.from({ length: 4 }, async () => {
      while (!over) {
        const { status, body } = await client.post('/v1/webhooks', settings());
        if (status !== 201) return;
        made.push(body);
        await client.delete(`/v1/webhooks/${body.id}`);
      }
    });
    expect((await end(view.id)).status).toBeLessThan(300);
    const late = await client.post('/v1/webhooks', settings());
    over = true;
    await Promise.all(attempts);
    if (late.status === 201) expect(late.body.expiresAt).not.toBeNull();
    else expectUnauthorized(late);
  }
});

describe('random lineages', () => {
  type Step =
    | { kind: 'make'; by: number; seconds: number | null }
    | { kind: 'rotate'; by: number; what: number; grace: number }
    | { kind: 'revoke'; by: number; what: number }
    | { kind: 'subscribe'; by: number }
    | { kind: 'take over'; by: number; what: number; how: number }
    | { kind: 'wait'; seconds: number };
  const by = fc.nat({ max: 20 });
  const what = fc.nat({ max: 20 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('make'), by, seconds: fc.option(fc.integer({ min: 1, max: 300 })) }),
    fc.record({ kind: fc.constant('rotate'), by, what, grace: fc.constantFrom(0, 20, 60, 200) }),
    fc.record({ kind: fc.constant('revoke'), by, what }),
    fc.record({ kind: fc.constant('subscribe'), by }),
    fc.record({ kind: fc.constant('take over'), by, what, how: fc.nat({ max: 3 }) }),
    fc.record({ kind: fc.constant('wait'), seconds: fc.integer({ min: 1, max: 40 }) }),
  );
  const end = ({ expiresAt }: { expiresAt: string | null }) => (expiresAt ? Date.parse(expiresAt) : Infinity);

  test('nothing that a key leads to outlives the end that it had by then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const watcher = await workspace.client();
        const first = await makeKey(watcher, { scopes: SCOPES });
        const keys = [{ id: first.view.id, client: first.client }];
        const endpoints: string[] = [];
        const viewOf = async (id: string) => (await watcher.get(`/v1/api-keys/${id}`)).body;
        for (const each of steps) {
          if (each.kind === 'wait') {
            clock.advance(each.seconds);
            continue;
          }
          const caller = keys[each.by % keys.length]!;
          const limit = end(await viewOf(caller.id));
          if (each.kind === 'make') {
            const expiresAt = each.seconds === null ? null : clock.in(each.seconds);
            const input = { name: 'Child', scopes: SCOPES, expiresAt };
            const { status, body } = await caller.client.post('/v1/api-keys', input);
            if (status !== 201) continue;
            expect(end(body)).toBeLessThanOrEqual(limit);
            keys.push({ id: body.id, client: new Client(gala.baseUrl, body.key) });
          } else if (each.kind === 'rotate') {
            const target = keys[each.what % keys.length]!;
            const input = { gracePeriodSeconds: each.grace };
            const { status, body } = await caller.client.post(`/v1/api-keys/${target.id}/rotate`, input);
            if (status !== 201) continue;
            expect(end(body)).toBeLessThanOrEqual(limit);
            keys.push({ id: body.id, client: new Client(gala.baseUrl, body.key) });
          } else if (each.kind === 'revoke') {
            await caller.client.delete(`/v1/api-keys/${keys[each.what % keys.length]!.id}`);
          } else if (each.kind === 'subscribe') {
            const { status, body } = await caller.client.post('/v1/webhooks', settings());
            if (status !== 201) continue;
            expect(end(body)).toBeLessThanOrEqual(limit);
            endpoints.push(body.id);
          } else if (endpoints.length > 0) {
            const path = `/v1/webhooks/${endpoints[each.what % endpoints.length]!}`;
            const { status, body } =
              each.how === 0
                ? await caller.client.post(`${path}/rotate-secret`)
                : await caller.client.patch(
                    path,
                    [
                      { events: ['*'] },
                      { url: `https://example.com/${Math.random()}` },
                      { status: 'enabled' },
                    ][each.how - 1],
                  );
            // What changed nothing leads to nothing.
            if (status === 200 && each.how % 2 === 0) expect(end(body)).toBeLessThanOrEqual(limit);
          }
        }
        for (const id of endpoints) await watcher.delete(`/v1/webhooks/${id}`);
      }),
      { numRuns: 12 },
    );
  });
});
