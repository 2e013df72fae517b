import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { makeKey } from '../support/api-keys';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Answer, Client } from '../support/http-client';
import { list } from '../support/leads';
import { RawConnection } from '../support/raw-http';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
const clock = new FakeClock();

beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const ANA = { email: 'ana@example.com', name: 'Ana', tags: ['vip'] };

const post = (key: string | string[], body: unknown = ANA, from = client, path = '/v1/leads') =>
  from.post(path, body, { headers: { 'Idempotency-Key': key } });

const leadsOf = async (from = client): Promise<number> => (await list(from)).body.pagination.total;

const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true';

describe('a repeat', () => {
  test('gets the first answer, and nothing happens twice', async () => {
    const first = await post('order-1');
    const second = await post('order-1');
    expect(first.status).toBe(201);
    expect(isReplayed(first)).toBe(false);
    expect(isReplayed(second)).toBe(true);
    expect([second.status, second.text, second.headers.location]).toEqual([
      first.status,
      first.text,
      first.headers.location,
    ]);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await leadsOf()).toBe(1);
    const events = await client.get('/v1/events');
    const types = events.body.data.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === 'lead.created')).toHaveLength(1);
  });

  test('gets the first answer even after the object has changed', async () => {
    const first = await post('order-1');
    await client.patch(`/v1/leads/${first.body.id}`, { name: 'Beatriz' });
    expect((await post('order-1')).body).toEqual(first.body);
  });

  test('may write the same members in another order, but not other values', async () => {
    const first = await post('order-1', { email: 'ana@example.com', name: 'Ana' });
    const second = await post('order-1', '{ "name": "An\\u0061", "email": "ana@example.com" }');
    expect(second.text).toBe(first.text);
    for (const body of [{ ...ANA }, { email: 'ana@example.com' }, { email: 'ana@example.com', name: null }]) {
      expectRefusal(await post('order-1', body), 422, { field: 'Idempotency-Key' });
    }
    expect(await leadsOf()).toBe(1);
  });

  test('is one of 30 at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => post('order-1')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(await leadsOf()).toBe(1);
  });

  test('is counted against the limits like every request', async () => {
    const first = await post('order-1');
    const second = await post('order-1');
    expect(Number(second.headers['x-ratelimit-remaining'])).toBe(
      Number(first.headers['x-ratelimit-remaining']) - 1,
    );
  });

  test('is none after 24 hours', async () => {
    const first = await post('order-1');
    clock.advance(24 * 3600 - 1);
    expect(isReplayed(await post('order-1'))).toBe(true);
    clock.advance(2);
    const later = await post('order-1', { email: 'another@example.com' });
    expect(later.status).toBe(201);
    expect(later.body.id).not.toBe(first.body.id);
    expect((await post('order-1', { email: 'another@example.com' })).text).toBe(later.text);
  });
});

describe('a key', () => {
  test('belongs to one workspace, mode, method and path', async () => {
    await post('order-1');
    const others = [
      await workspace.client('test'),
      await (await gala.createWorkspace('Other')).client('live'),
    ];
    for (const other of others) {
      const answer = await post('order-1', { email: 'other@example.com' }, other);
      expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
    }
    const space = await post('order-1', { name: 'Garden' }, client, '/v1/spaces');
    expect(space.status).toBe(201);
  });

  test('goes by credentials of its workspace and mode alike', async () => {
    const first = await post('order-1');
    expect((await post('order-1', ANA, await workspace.client())).text).toBe(first.text);
  });

  test('is told apart by its case', async () => {
    await post('order-a');
    expect(isReplayed(await post('order-A'))).toBe(false);
  });

  test.each(['', ' ', 'a b', 'a'.repeat(256), 'é'])('of %j is refused', async (key) => {
    expectRefusal(await post(key), 422, { field: 'Idempotency-Key' });
    expect(await leadsOf()).toBe(0);
  });

  test('of any 1 to 255 visible ASCII characters is taken', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
          minLength: 1,
          maxLength: 255,
        }),
        async (key) => {
          const body = { email: 'ana@example.com', name: key.slice(0, 200) };
          const [first, second] = [await post(key, body), await post(key, body)];
          expect([first.status, second.text]).toEqual([201, first.text]);
        },
      ),
      { numRuns: 30 },
    ));

  test('is sent once', async () => {
    expectRefusal(await post(['order-1', 'order-2']), 422, { field: 'Idempotency-Key' });
  });

  test('on another method than POST changes nothing', async () => {
    const { body } = await post('order-1');
    const patch = (name: string) =>
      client.patch(`/v1/leads/${body.id}`, { name }, { headers: { 'Idempotency-Key': 'order-1' } });
    expect((await patch('Beatriz')).body.name).toBe('Beatriz');
    expect((await patch('Clara')).body.name).toBe('Clara');
  });

  test('is looked at after the credential and its scopes', async () => {
    const stranger = await workspace.client('live', []);
    expectRefusal(await post('', ANA, stranger), 403);
    expectRefusal(await post('', ANA, gala.anonymous), 401);
  });
});

describe('what failed', () => {
  test('is not kept: the same key serves the mended request', async () => {
    expectRefusal(await post('order-1', { name: 'Ana' }), 422, { field: 'email' });
    expectRefusal(await post('order-1', '{'), 400);
    expect((await post('order-1')).status).toBe(201);
  });

  test('for a body nested without end is told as without a key', async () => {
    for (const depth of [17, 3000, 50_000]) {
      const tags = '['.repeat(depth) + ']'.repeat(depth);
      const answer = await post('order-1', `{"email": "ana@example.com", "tags": ${tags}}`);
      expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    }
    expect((await post('order-1')).status).toBe(201);
  });

  test('for the state of the object is not kept either', async () => {
    const lead = (await post('lead')).body;
    await client.delete(`/v1/leads/${lead.id}`);
    const proposal = { leadId: lead.id, title: 'Wedding', lineItems: [] };
    const refused = await post('proposal', proposal, client, '/v1/proposals');
    expect(refused.status).toBe(422);
    await client.post(`/v1/leads/${lead.id}/restore`);
    expect((await post('proposal', proposal, client, '/v1/proposals')).status).toBe(201);
  });

  test('within, in its own unit of work, is told as without a key', async () => {
    const space = (await client.post('/v1/spaces', { name: 'Garden' })).body;
    const booking = {
      type: 'event',
      title: 'Wedding',
      startsAt: '2027-06-05T14:00:00Z',
      endsAt: '2027-06-05T20:00:00Z',
      spaceId: space.id,
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post(`booking-${index}`, booking, client, '/v1/calendar-events'),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)]);
    for (const refused of answers.filter(({ status }) => status === 422)) {
      expectRefusal(refused, 422, { field: 'spaceId' });
    }
  });
});

describe('secrets', () => {
  test('are told again to the same credential, and kept encrypted', async () => {
    const input = { name: 'Backup', scopes: ['leads:read'] };
    const first = await post('key-1', input, client, '/v1/api-keys');
    const second = await post('key-1', input, client, '/v1/api-keys');
    expect(second.text).toBe(first.text);
    expect(second.headers['cache-control']).toBe('no-store');
    const stored = await sql<{ row: string }>(
      gala.databaseUrl,
      'SELECT k::text AS row FROM idempotency_keys k',
    );
    expect(stored.map(({ row }) => row).join()).not.toContain(first.body.key);
    expect(first.body.key).toMatch(/^gala_live_/);
  });

  test('are not told to another credential', async () => {
    const input = { name: 'Backup', scopes: ['leads:read'] };
    const first = await post('key-1', input, client, '/v1/api-keys');
    const other = await post('key-1', input, await workspace.client('live', []), '/v1/api-keys');
    expectRefusal(other, 422, { field: 'Idempotency-Key' });
    expect(other.text).not.toContain(first.body.key);
  });
});

test('the secret of a rotation isn’t told again to a key that has been rotated', async () => {
  const rotate = async (by: Client, id: string) =>
    post('rotation', { gracePeriodSeconds: 60 }, by, `/v1/api-keys/${id}/rotate`);
  const old = await makeKey(client);
  const child = await makeKey(old.client);
  const first = await rotate(old.client, child.view.id);
  expect((await rotate(old.client, child.view.id)).text).toBe(first.text);
  const own = await rotate(old.client, old.view.id);
  expect([first.status, own.status]).toEqual([201, 201]);
  for (const [id, secret] of [
    [old.view.id, own.body.key],
    [child.view.id, first.body.key],
  ]) {
    const again = await rotate(old.client, id);
    expectRefusal(again, 422, { field: 'Idempotency-Key' });
    expect(again.text).not.toContain(secret);
  }
});

test('a request whose answer was lost is answered when it is repeated', async () => {
  const payload = JSON.stringify(ANA);
  const connection = await RawConnection.open(gala.baseUrl);
  connection.socket.write(
    `POST /v1/leads HTTP/1.1\r\nHost: gala\r\nAuthorization: Bearer ${client.key}\r\nIdempotency-Key: order-1\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n${payload}`,
  );
  while ((await leadsOf()) === 0) await sleep(20);
  connection.socket.destroy();
  expect(isReplayed(await post('order-1'))).toBe(true);
  expect(await leadsOf()).toBe(1);
});
