import { newId } from '../../src/kernel/ids';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { routesOf, sweepRoutes } from '../support/route-sweep';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

describe('every route of Gala', () => {
  sweepRoutes({ gala: () => gala });

  test('is known to the sweep, and only health, metrics, feeds, images and what proves itself are open to anyone', () => {
    const open = routesOf(gala).filter(({ access }) => access.kind === 'public');
    expect(open.flatMap(({ paths }) => paths).sort()).toEqual([
      '/.well-known/oauth-authorization-server',
      '/channels/whatsapp/:connection',
      '/channels/whatsapp/:connection',
      '/files/:token/:rendition',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/oauth',
      '/oauth/introspect',
      '/oauth/revoke',
      '/oauth/token',
      '/oauth/{*path}',
      '/v1/calendar.ics',
      '/{*path}',
    ]);
    expect(routesOf(gala).map(({ method, paths }) => `${method} ${paths.join(' ')}`)).toEqual(
      expect.arrayContaining([
        'GET /v1/leads',
        'POST /v1/leads',
        'PATCH /v1/leads/:id',
        'POST /v1/messages',
        'POST /v1/api-keys',
        'POST /v1/webhooks',
        'GET /v1/events',
        'GET /v1/me',
      ]),
    );
  });
});

describe('another workspace’s object, and the other mode’s', () => {
  let mine: Client;
  let otherMode: Client;
  let theirs: Client;

  beforeAll(async () => {
    const workspace = await gala.createWorkspace('Mine');
    mine = await workspace.client();
    otherMode = await workspace.client('test');
    theirs = await (await gala.createWorkspace('Theirs')).client();
  });

  test.each([
    ['lead', '/v1/leads', '', { email: 'ana@example.com' }],
    ['lead', '/v1/leads', '/restore', { email: 'ana@example.com' }],
    ['key', '/v1/api-keys', '', { name: 'Secret' }],
    ['key', '/v1/api-keys', '/rotate', { name: 'Secret' }],
  ])(
    'is refused like an unknown id, to the byte, for any method: %s %s/<id>%s',
    async (prefix, list, end, body) => {
      const before = (await mine.post(list, body)).body;
      const methods = end ? ['POST'] : ['GET', 'PATCH', 'DELETE'];
      for (const stranger of [theirs, otherMode]) {
        for (const method of methods) {
          const answer = (id: string) =>
            stranger.request(method, `${list}/${id}${end}`, method === 'PATCH' ? {} : undefined);
          const [real, unknown] = [await answer(before.id), await answer(newId(prefix))];
          expectRefusal(real, 404);
          expect(real.text.replace(real.body.error.requestId, '')).toBe(
            unknown.text.replace(unknown.body.error.requestId, ''),
          );
        }
      }
      const after = (await mine.get(`${list}/${before.id}`)).body;
      expect({ ...before, ...after, lastUsedAt: null }).toEqual({ ...before, lastUsedAt: null });
    },
  );
});

describe('the order of checks', () => {
  let client: Client;
  beforeAll(async () => {
    client = await (await gala.createWorkspace()).client();
  });

  test('what the request shows to be wrong comes before an object that isn’t there', async () => {
    const path = `/v1/leads/${newId('lead')}`;
    expectRefusal(await client.patch(path, { stage: 'nowhere' }), 422, { field: 'stage' });
    expectRefusal(await client.patch(path, '{'), 400);
    expectRefusal(await client.patch(path, { stage: 'lost' }), 404);
  });

  test('what the request shows to be wrong comes before what the object’s state forbids', async () => {
    const { id } = (await client.post('/v1/leads', { email: 'ana@example.com' })).body;
    await client.delete(`/v1/leads/${id}`);
    expectRefusal(await client.patch(`/v1/leads/${id}`, { stage: 'nowhere' }), 422, { field: 'stage' });
    const refused = await client.patch(`/v1/leads/${id}`, { stage: 'lost' });
    expectRefusal(refused, 422, { field: 'archivedAt' });
    expect(refused.body.error.field).toBe('archivedAt');
  });

  test('e-mail comes first when it is among the offending fields', async () => {
    const answer = await client.post('/v1/leads', { guests: 'many', name: 5, nonsense: 1 });
    expectRefusal(answer, 422, { field: 'nonsense' });
    expect(answer.body.error.field).toBe('email');
    expect(answer.body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'email',
      'guests',
      'name',
      'nonsense',
    ]);
  });
});

describe('the request id', () => {
  test.each(['a', 'A-z_0.9', 'x'.repeat(128)])('is kept when the client’s is well-formed: %s', async (id) => {
    const answer = await gala.anonymous.get('/v1/me', { headers: { 'X-Request-Id': id } });
    expectRefusal(answer, 401);
    expect(answer.body.error.requestId).toBe(id);
  });

  test.each([
    ['blank', ' '],
    ['too long', 'x'.repeat(129)],
    ['odd', 'a b'],
    ['odd', '<script>'],
    ['twice', ['a', 'b']],
  ])('is made anew when the client’s is not: %s', async (_, id) => {
    const answer = await gala.anonymous.get('/v1/me', { headers: { 'X-Request-Id': id } });
    expectRefusal(answer, 401);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is there on success too, and another one each time', async () => {
    const client = await (await gala.createWorkspace()).client();
    const ids = [await client.get('/v1/me'), await client.get('/v1/me')].map(
      ({ headers }) => headers['x-request-id'],
    );
    expect(new Set(ids).size).toBe(2);
  });
});
