import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { type TestGala } from '../support/start-gala';
import { newApp, offered, startAtItsAddress, type TestApp } from './support';

/** What developers of apps use, unchanged. */
let gala: TestGala;
let app: TestApp;
let publicApp: TestApp;
beforeAll(async () => {
  gala = await startAtItsAddress();
  [app, publicApp] = [await newApp(gala), await newApp(gala, { isPublic: true })];
});
afterAll(() => gala.stop());

/** The person's part; ends with the address that the app's server is called at. */
async function letIn(url: URL, by: TestApp): Promise<URL> {
  expect(url.origin).toBe(gala.baseUrl);
  const { headers } = await by.decide(url.pathname + url.search, { mode: 'test' });
  return new URL(headers.location!);
}

/** The libraries call it deprecated, so that nobody goes without HTTPS by mistake. */
// eslint-disable-next-line @typescript-eslint/no-deprecated
const openidInsecure = openid.allowInsecureRequests;
// eslint-disable-next-line @typescript-eslint/no-deprecated
const insecure = { [oauth.allowInsecureRequests]: true };

function discover({ id }: TestApp, authentication: openid.ClientAuth): Promise<openid.Configuration> {
  const options = { algorithm: 'oauth2' as const, execute: [openidInsecure] };
  return openid.discovery(new URL(gala.baseUrl), id, undefined, authentication, options);
}

describe('openid-client', () => {
  const kinds: [name: string, who: () => TestApp, authentication: () => openid.ClientAuth][] = [
    ['client_secret_post', () => app, () => openid.ClientSecretPost(app.secret!)],
    ['client_secret_basic', () => app, () => openid.ClientSecretBasic(app.secret!)],
    ['a public client', () => publicApp, () => openid.None()],
  ];
  test.each(kinds)(
    'finds its way by discovery, all the way to revocation: %s',
    async (_, who, authentication) => {
      const client = who();
      const config = await discover(client, authentication());
      const verifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: 'leads:read leads:write',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      const back = await letIn(url, client);
      const checks = { pkceCodeVerifier: verifier, expectedState: state };
      const tokens = await openid.authorizationCodeGrant(config, back, checks);
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        expires_in: 3600,
        workspace_id: client.owner.workspaceId,
      });
      expect(await client.statusOf(tokens)).toBe(200);

      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!, { scope: 'leads:read' });
      expect(renewed.scope).toBe('leads:read');
      const resource = new URL('/v1/me', gala.baseUrl);
      const me = await openid.fetchProtectedResource(config, renewed.access_token, resource, 'GET');
      expect(await me.json()).toMatchObject({ mode: 'test', credential: { type: 'oauth' } });
      if (client.secret) {
        expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true });
      }
      await openid.tokenRevocation(config, renewed.refresh_token!);
      expect(await client.statusOf(renewed)).toBe(401);
      const refused = openid.refreshTokenGrant(config, renewed.refresh_token!);
      await expect(refused).rejects.toMatchObject({ error: 'invalid_grant' });
    },
  );

  test('refuses an answer that says it comes from another server', async () => {
    const config = await discover(app, openid.ClientSecretPost(app.secret!));
    const url = openid.buildAuthorizationUrl(config, { redirect_uri: app.redirectUri, state: 's' });
    const back = await letIn(url, app);
    back.searchParams.set('iss', 'https://evil.test');
    await expect(openid.authorizationCodeGrant(config, back, { expectedState: 's' })).rejects.toThrow();
    back.searchParams.delete('iss');
    await expect(openid.authorizationCodeGrant(config, back, { expectedState: 's' })).rejects.toThrow();
    back.searchParams.set('iss', gala.baseUrl);
    await openid.authorizationCodeGrant(config, back, { expectedState: 's' });
  });

  test('understands a refusal', async () => {
    const config = await discover(app, openid.ClientSecretPost(app.secret!));
    const url = openid.buildAuthorizationUrl(config, { redirect_uri: app.redirectUri, state: 's' });
    const { headers } = await app.decide(url.pathname + url.search, { decision: 'deny' });
    const back = new URL(headers.location!);
    const refused = openid.authorizationCodeGrant(config, back, { expectedState: 's' });
    await expect(refused).rejects.toMatchObject({ error: 'access_denied' });
  });

  test('understands an error of its request, once the person has gone on from the page about it', async () => {
    const config = await discover(app, openid.ClientSecretPost(app.secret!));
    const input = { redirect_uri: app.redirectUri, state: 's', scope: 'leads:fly' };
    const url = openid.buildAuthorizationUrl(config, input);
    const { to, parameters } = offered(await app.owner.browser.get(url.pathname + url.search));
    const back = new URL(`${to}?${new URLSearchParams(parameters).toString()}`);
    const refused = openid.authorizationCodeGrant(config, back, { expectedState: 's' });
    await expect(refused).rejects.toMatchObject({ error: 'invalid_scope' });
  });
});

describe('oauth4webapi', () => {
  test.each([
    ['client_secret_post', oauth.ClientSecretPost],
    ['client_secret_basic', oauth.ClientSecretBasic],
  ])('finds its way by discovery, all the way to revocation: %s', async (_, authenticationBy) => {
    const issuer = new URL(gala.baseUrl);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const client = { client_id: app.id };
    const authentication = authenticationBy(app.secret!);

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint!);
    url.search = new URLSearchParams({
      ...{
        client_id: app.id,
        redirect_uri: app.redirectUri,
        response_type: 'code',
        scope: 'leads:read',
        state,
      },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    }).toString();
    const parameters = oauth.validateAuthResponse(server, client, await letIn(url, app), state);
    const answer = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, parameters, app.redirectUri, verifier, insecure] as const),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
    expect(await app.statusOf(tokens)).toBe(200);

    const refreshed = await oauth.refreshTokenGrantRequest(
      ...([server, client, authentication, tokens.refresh_token!, insecure] as const),
    );
    const renewed = await oauth.processRefreshTokenResponse(server, client, refreshed);
    const asked = await oauth.introspectionRequest(
      ...([server, client, authentication, renewed.access_token, insecure] as const),
    );
    expect(await oauth.processIntrospectionResponse(server, client, asked)).toMatchObject({ active: true });
    const revoked = await oauth.revocationRequest(
      ...([server, client, authentication, renewed.refresh_token!, insecure] as const),
    );
    await oauth.processRevocationResponse(revoked);
    expect(await app.statusOf(renewed)).toBe(401);
  });
});

describe('simple-oauth2', () => {
  test.each([
    ['form', 'body'],
    ['form', 'header'],
    ['json', 'body'],
    ['json', 'header'],
  ] as const)('completes with %s, its credentials in the %s', async (bodyFormat, authorizationMethod) => {
    const client = new AuthorizationCode({
      client: { id: app.id, secret: app.secret! },
      auth: { tokenHost: gala.baseUrl, authorizePath: '/oauth/authorize', revokePath: '/oauth/revoke' },
      options: { bodyFormat, authorizationMethod },
    });
    const place = { redirect_uri: app.redirectUri };
    const url = client.authorizeURL({ ...place, scope: ['leads:read', 'leads:write'], state: 'a/b c' });
    const back = await letIn(new URL(url), app);
    expect(back.searchParams.get('state')).toBe('a/b c');
    const first = await client.getToken({ ...place, code: back.searchParams.get('code')! });
    expect(await app.statusOf(first.token as never)).toBe(200);
    expect(first.expired()).toBe(false);
    const second = await first.refresh();
    expect(await app.statusOf(second.token as never)).toBe(200);
    await second.revokeAll();
    expect(await app.statusOf(second.token as never)).toBe(401);
    await expect(second.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
  });
});
