import { CreateWorkspace } from '../../src/modules/workspaces';
import { makeKey, rotateKey } from '../support/api-keys';
import { Client } from '../support/http-client';
import { expectInvalid, expectNotFound, expectUnauthorized } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace('Garden Events');
});
afterAll(() => gala.stop());

const shownWorkspace = () => ({
  id: workspace.id,
  name: 'Garden Events',
  timeZone: 'Europe/Madrid',
  currency: 'EUR',
});

describe.each(['live', 'test'] as const)('%s keys', (mode) => {
  test('a key of the operator, with all scopes', async () => {
    const answer = await (await workspace.client(mode, ['leads:read', 'leads:write'])).get('/v1/me');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      workspace: shownWorkspace(),
      mode,
      credential: {
        type: 'api_key',
        id: expect.stringMatching(/^key_/),
        name: 'Test key',
        scopes: ['leads:read', 'leads:write'],
      },
    });
  });

  test('a key without scopes', async () => {
    const { status, body } = await (await workspace.client(mode, [])).get('/v1/me');
    expect(status).toBe(200);
    expect(body.credential.scopes).toEqual([]);
  });

  test('a key that another key made, and its successor', async () => {
    const maker = await workspace.client(mode);
    const made = await makeKey(maker, { name: 'Website 😀', scopes: ['leads:read'] });
    const expected = {
      workspace: shownWorkspace(),
      mode,
      credential: { type: 'api_key', id: made.view.id, name: 'Website 😀', scopes: ['leads:read'] },
    };
    expect((await made.client.get('/v1/me')).body).toEqual(expected);
    const next = await rotateKey(made.client, made.view.id, 60);
    expect((await next.client.get('/v1/me')).body).toEqual({
      ...expected,
      credential: { ...expected.credential, id: next.view.id },
    });
    expect((await made.client.get('/v1/me')).body).toEqual(expected);
  });
});

test('each key sees its own workspace', async () => {
  const { id } = await gala.app
    .get(CreateWorkspace, { strict: false })
    .execute({ name: 'Océano', ownerEmail: 'o@example.com', timeZone: 'America/Bogota', currency: 'JPY' });
  const other = await gala.createWorkspace('Other');
  expect((await (await other.client()).get('/v1/me')).body.workspace).toMatchObject({
    id: other.id,
    name: 'Other',
  });
  expect((await (await workspace.client()).get('/v1/me')).body.workspace.id).not.toBe(id);
});

test('the scheme may be written in any case', async () => {
  const key = await workspace.key('live');
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    const answer = await gala.anonymous.get('/v1/me', { headers: { Authorization: `${scheme} ${key}` } });
    expect(answer.status).toBe(200);
  }
});

test.each([
  undefined,
  'Bearer',
  'Bearer ',
  'Bearer undefined',
  'Bearer null',
  'Basic abc',
  'gala_live_x',
  'Bearer gala_live_',
  'Bearer key_1',
])('Authorization: %s tells nobody anything', async (authorization) => {
  const answer = await gala.anonymous.get('/v1/me', { headers: { Authorization: authorization } });
  expectUnauthorized(answer);
  expect(answer.text).not.toContain('Garden');
});

test('a key elsewhere than in the header is no credential', async () => {
  const key = await workspace.key('live');
  for (const name of ['access_token', 'apiKey', 'key']) {
    const answer = await gala.anonymous.get(`/v1/me?${name}=${key}`);
    expectUnauthorized(answer);
    expect(answer.text).not.toContain(key);
    expectInvalid(await new Client(gala.baseUrl, key).get(`/v1/me?${name}=${key}`), name);
  }
});

test.each(['POST', 'PATCH', 'DELETE', 'PUT'])('%s is not there', async (method) => {
  expectNotFound(
    await (await workspace.client()).request(method, '/v1/me', method === 'DELETE' ? undefined : {}),
  );
});
