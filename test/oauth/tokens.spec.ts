import { Clock } from '../../src/kernel/clock';
import { expectRateHeaders } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import { startGala, type TestGala } from '../support/start-gala';
import { basic, challengeOf, newApp, postForm, type TestApp } from './support';

const clock = new FakeClock('2020-01-15T09:30:00.000Z');
let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  app = await newApp(gala);
});
afterAll(() => gala.stop());

const introspect = (token: string, by = app) => by.call('/oauth/introspect', { token });

describe('introspection (RFC 7662)', () => {
  test('tells all about a token of the app that asks', async () => {
    const tokens = await app.install({ scope: 'leads:read' }, { mode: 'test' });
    const { status, headers, body } = await introspect(tokens.access_token);
    const issuedAt = clock.now().getTime() / 1000;
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      active: true,
      scope: 'leads:read',
      client_id: app.id,
      token_type: 'Bearer',
      exp: issuedAt + 3600,
      iat: issuedAt,
      iss: 'http://localhost:3000',
      sub: expect.stringMatching(/^user_/),
      workspace_id: app.owner.workspaceId,
      mode: 'test',
      installation_id: expect.stringMatching(/^inst_/),
    });
    expect((await introspect(tokens.refresh_token)).body).toMatchObject({
      active: true,
      token_type: 'refresh_token',
      exp: issuedAt + 90 * 24 * 3600,
    });
  });

  test('says of everything else that it isn’t active, and no more', async () => {
    const tokens = await app.install();
    const stranger = await newApp(gala);
    const renewed = (await app.refresh(tokens.refresh_token)).body;
    const revoked = await app.install();
    await app.call('/oauth/revoke', { token: revoked.refresh_token });
    const inactive = ['nonsense', tokens.refresh_token, revoked.access_token, await app.code(), app.secret!];
    for (const token of inactive) expect((await introspect(token)).body).toEqual({ active: false });
    expect((await introspect(renewed.access_token, stranger)).body).toEqual({ active: false });
    clock.advance(3600);
    expect((await introspect(renewed.access_token)).body).toEqual({ active: false });
    expect((await introspect(renewed.refresh_token)).body.active).toBe(true);
  });

  test('answers none who can’t prove who they are', async () => {
    const open = await newApp(gala, { isPublic: true });
    expect(await introspect('x', open)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

describe('revocation (RFC 7009)', () => {
  test('is 200 for what isn’t there, and for another app’s token, which it leaves alone', async () => {
    const tokens = await app.install();
    const stranger = await newApp(gala);
    for (const token of ['nonsense', tokens.access_token, tokens.refresh_token]) {
      const answer = await stranger.call('/oauth/revoke', { token });
      expect(answer.status).toBe(200);
      expectRateHeaders(answer);
    }
    expect(await app.statusOf(tokens)).toBe(200);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
  });

  test.each(['access_token', 'refresh_token', 'nonsense'])('takes a hint for a hint: %s', async (hint) => {
    const tokens = await app.install();
    const fields = { token: tokens.refresh_token, token_type_hint: hint };
    expect((await app.call('/oauth/revoke', fields)).status).toBe(200);
    expect(await app.statusOf(tokens)).toBe(401);
  });

  test('by a former refresh token ends the family as well', async () => {
    const tokens = await app.install();
    const renewed = (await app.refresh(tokens.refresh_token)).body;
    await app.call('/oauth/revoke', { token: tokens.refresh_token });
    expect(await app.statusOf(renewed)).toBe(401);
  });

  test('takes JSON and HTTP Basic, and public clients without a secret', async () => {
    const tokens = await app.install();
    const headers = basic(app.id, app.secret);
    const { status } = await gala.anonymous.post(
      '/oauth/revoke',
      { token: tokens.access_token },
      { headers },
    );
    expect([status, await app.statusOf(tokens)]).toEqual([200, 401]);

    const open = await newApp(gala, { isPublic: true });
    const verifier = 'v'.repeat(43);
    const code = await open.code(challengeOf(verifier));
    const { body: theirs } = await open.redeem(code, { code_verifier: verifier });
    await open.call('/oauth/revoke', { token: theirs.refresh_token });
    expect(await open.statusOf(theirs)).toBe(401);
  });

  test('may be repeated', async () => {
    const tokens = await app.install();
    const fields = { client_id: app.id, client_secret: app.secret!, token: tokens.refresh_token };
    for (let count = 0; count < 3; count++) {
      expect((await postForm(gala.anonymous, '/oauth/revoke', fields)).status).toBe(200);
    }
  });
});

test('the metadata says what there is and where (RFC 8414)', async () => {
  const { status, headers, body } = await gala.anonymous.get('/.well-known/oauth-authorization-server');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/json/);
  const issuer = 'http://localhost:3000';
  expect(body).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  expect(body.scopes_supported).toEqual(expect.arrayContaining(['leads:read', 'leads:write']));
});
