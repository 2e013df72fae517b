import { Clock } from '../../src/kernel/clock';
import { InstallationRepository, ManageApps, UninstallApp } from '../../src/modules/oauth';
import { RemoveMember } from '../../src/modules/workspaces';
import { expectForbidden, expectUnauthorized } from '../support/refusals';
import { FakeClock } from '../support/fake-clock';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { memberOfWorkspace } from './members';
import { newApp, SCOPES, TestApp, type Tokens } from './support';
import { person } from '../workspaces/people';

const clock = new FakeClock('2020-01-15T09:30:00.000Z');
let gala: TestGala;
let other: TestGala;
let app: TestApp;
let tokens: Tokens;
beforeAll(async () => {
  const overrides = [{ provide: Clock, useValue: clock }];
  const rateLimits = { reads: 50, writes: 20, address: 100_000 };
  gala = await startGala({ overrides, configuration: { rateLimits } });
  other = await startGala({ overrides, databaseUrl: gala.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});
beforeEach(async () => {
  app = await newApp(gala);
  tokens = await app.install();
});

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
const live = () => ({ workspaceId: app.owner.workspaceId, mode: 'live' as const });
const owner = () => person(gala, app.owner.email);

async function installation(mode: 'live' | 'test' = 'live') {
  const repository = gala.app.get<InstallationRepository>(InstallationRepository, { strict: false });
  const [found] = await repository.list({ ...live(), mode });
  return found!;
}

async function expectDeadEverywhere(dead: Tokens): Promise<void> {
  for (const { baseUrl } of [gala, other]) {
    expectUnauthorized(await app.as(dead, baseUrl).get('/v1/leads'));
    expect((await app.refresh(dead.refresh_token, {}, baseUrl)).status).toBe(400);
  }
}

async function expectAlive(alive: Tokens): Promise<void> {
  for (const { baseUrl } of [gala, other]) expect(await app.statusOf(alive, baseUrl)).toBe(200);
}

test('/v1/me tells which app it is, and where', async () => {
  const { body } = await app.as(tokens).get('/v1/me');
  expect(body).toMatchObject({
    workspace: { id: app.owner.workspaceId, name: 'Garden Events' },
    mode: 'live',
    credential: {
      type: 'oauth',
      id: (await installation()).id,
      name: 'Seating Planner',
      scopes: SCOPES,
    },
  });
});

test('a token of the sandbox sees nothing else', async () => {
  const { body: lead } = await app.as(tokens).post('/v1/leads', { email: 'ana@example.com' });
  const sandbox = app.as(await app.install({}, { mode: 'test' }));
  expect((await sandbox.get('/v1/me')).body.mode).toBe('test');
  expect((await sandbox.get(`/v1/leads/${lead.id}`)).status).toBe(404);
  expect((await app.as(tokens, other.baseUrl).get(`/v1/leads/${lead.id}`)).status).toBe(200);
});

test('what the person didn’t allow is 403', async () => {
  const reading = app.as(await app.install({ scope: 'leads:read' }));
  expect((await reading.get('/v1/leads')).status).toBe(200);
  expectForbidden(await reading.post('/v1/leads', { email: 'ana@example.com' }));
});

test('an app can’t touch API keys', async () => {
  const client = app.as(tokens);
  const key = 'key_01h455vb4pex5vsknk084sn02q';
  expect((await client.post('/v1/api-keys', { name: 'Mine', scopes: ['leads:read'] })).status).toBe(403);
  expect((await client.get('/v1/api-keys')).status).toBe(403);
  expect((await client.get(`/v1/api-keys/${key}`)).status).toBe(403);
  expect((await client.delete(`/v1/api-keys/${key}`)).status).toBe(403);
  expect((await client.post(`/v1/api-keys/${key}/rotate`)).status).toBe(403);
});

test('only the Authorization header carries a token', async () => {
  const { anonymous } = gala;
  expectUnauthorized(await anonymous.get(`/v1/me?access_token=${tokens.access_token}`));
  const inBody = { access_token: tokens.access_token, email: 'ana@example.com' };
  expectUnauthorized(await anonymous.post('/v1/leads', inBody));
  for (const text of [tokens.refresh_token, `${tokens.access_token}x`, await app.code()]) {
    expectUnauthorized(await app.as({ access_token: text }).get('/v1/me'));
  }
});

test('each installation has limits of its own, which all its tokens share', async () => {
  const remaining = async (which: Tokens) => {
    const { headers } = await app.as(which).get('/v1/me');
    return Number(headers['x-ratelimit-remaining']);
  };
  const second = (await app.refresh(tokens.refresh_token)).body;
  const sandbox = await app.install({}, { mode: 'test' });
  expect([await remaining(tokens), await remaining(second)]).toEqual([49, 48]);
  expect(await remaining(sandbox)).toBe(49);
  for (let count = 0; count < 48; count++) await remaining(second);
  expect((await app.as(tokens).get('/v1/me')).status).toBe(429);
  expect(await remaining(sandbox)).toBe(48);
  expect((await app.as(tokens).post('/v1/leads', { email: 'ana@example.com' })).status).toBe(201);
});

test('a token lives for an hour', async () => {
  clock.advance(3599);
  expect(await app.statusOf(tokens)).toBe(200);
  clock.advance(1);
  expectUnauthorized(await app.as(tokens).get('/v1/me'));
  const renewed = await app.refresh(tokens.refresh_token);
  await expectAlive(renewed.body);
});

describe('dead at once and everywhere', () => {
  test('when the app is removed in the settings; installed again, old tokens stay dead', async () => {
    await get(UninstallApp).execute(live(), await owner(), (await installation()).id);
    await expectDeadEverywhere(tokens);
    const again = await app.install();
    await expectDeadEverywhere(tokens);
    await expectAlive(again);
  });

  test('when the app is removed, of its codes too, and in that mode alone', async () => {
    const code = await app.code();
    const sandbox = await app.install({}, { mode: 'test' });
    await get(UninstallApp).execute(live(), await owner(), (await installation()).id);
    expect((await app.redeem(code)).body.error).toBe('invalid_grant');
    await expectAlive(sandbox);
  });

  test('when the operator deletes the app, in every workspace', async () => {
    const sandbox = await app.install({}, { mode: 'test' });
    await get(ManageApps).delete(app.id);
    for (const each of [tokens, sandbox]) {
      for (const { baseUrl } of [gala, other]) expectUnauthorized(await app.as(each, baseUrl).get('/v1/me'));
    }
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_client');
    expect((await app.owner.browser.get(app.path())).status).toBe(400);
  });

  test('when its person leaves the workspace; an invitation back revives nothing', async () => {
    const email = newEmail();
    const admin = await memberOfWorkspace(gala, app.owner, email, 'admin');
    const colleague = new TestApp(
      gala,
      app.id,
      app.secret,
      { ...app.owner, email, browser: await browserOf(gala, email) },
      [app.redirectUri],
    );
    const [theirs, code] = [await colleague.install(), await colleague.code()];
    await expectAlive(theirs);
    await get(RemoveMember).execute(app.owner.workspaceId, await owner(), admin.id);
    await expectDeadEverywhere(theirs);
    expect((await colleague.redeem(code)).body.error).toBe('invalid_grant');
    await expectAlive(tokens);
    await memberOfWorkspace(gala, app.owner, email, 'admin');
    await expectDeadEverywhere(theirs);
  });

  test('when the app revokes its access token: that one alone', async () => {
    const second = (await app.refresh(tokens.refresh_token)).body;
    expect((await app.call('/oauth/revoke', { token: tokens.access_token })).status).toBe(200);
    for (const { baseUrl } of [gala, other]) expectUnauthorized(await app.as(tokens, baseUrl).get('/v1/me'));
    await expectAlive(second);
  });

  test('when the app revokes its refresh token: the whole family', async () => {
    const second = (await app.refresh(tokens.refresh_token)).body;
    expect((await app.call('/oauth/revoke', { token: tokens.refresh_token })).status).toBe(200);
    await expectDeadEverywhere(tokens);
    await expectDeadEverywhere(second);
  });

  test('what the operator takes away from the app, tokens can’t do any more, and new ones don’t claim to', async () => {
    await get(ManageApps).change(app.id, { scopes: ['leads:read'] });
    for (const { baseUrl } of [gala, other]) {
      expect((await app.as(tokens, baseUrl).get('/v1/leads')).status).toBe(200);
      expectForbidden(await app.as(tokens, baseUrl).post('/v1/leads', { email: 'ana@example.com' }));
    }
    expect((await app.call('/oauth/introspect', { token: tokens.access_token })).body.scope).toBe(
      'leads:read',
    );
    expect((await app.refresh(tokens.refresh_token)).body.scope).toBe('leads:read');
  });
});
