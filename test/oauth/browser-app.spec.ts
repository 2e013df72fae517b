import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { ManageApps } from '../../src/modules/oauth';
import { givePassword, launchBrowser, openBrowser, PASSWORD } from '../support/browser';
import { newEmail, workspaceOf } from '../support/people';
import { fileNeeds } from '../support/requirements';
import type { TestGala } from '../support/start-gala';
import { startAtItsAddress } from './support';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let server: http.Server;
let origin: string;
let page = '';
beforeAll(async () => {
  [gala, browser] = await Promise.all([startAtItsAddress(), launchBrowser()]);
  server = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(request.url === '/favicon.ico' ? '' : page);
  });
  server.listen(0);
  await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  server.close();
  await gala.stop();
});

/** An app without a server: it keeps its verifier in the tab, and shows what it got from where as JSON. */
const appPage = (settings: object) => `<!doctype html>
<title>Planner</title>
<link rel="icon" href="data:," />
<h1>Planner</h1>
<script type="module">
  const { gala, clientId, key } = ${JSON.stringify(settings)};
  const redirectUri = location.origin + '/app';
  const code = new URLSearchParams(location.search).get('code');
  const base64url = (bytes) =>
    btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const outcomeOf = async (call) => {
    try {
      const response = await call;
      return { status: response.status, requestId: response.headers.get('X-Request-Id'), body: await response.json() };
    } catch (error) {
      return { failed: error.name };
    }
  };
  const read = (token) => outcomeOf(fetch(gala + '/v1/leads', { headers: { Authorization: 'Bearer ' + token } }));
  if (code === null) {
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    sessionStorage.setItem('verifier', verifier);
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const challenge = { code_challenge: base64url(new Uint8Array(hash)), code_challenge_method: 'S256' };
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, ...challenge });
    location.assign(gala + '/oauth/authorize?' + query);
  } else {
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const tokens = await outcomeOf(
      fetch(gala + '/oauth/token', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...exchange, client_id: clientId, code_verifier: sessionStorage.getItem('verifier') }),
      }),
    );
    const seen = document.createElement('pre');
    seen.textContent = JSON.stringify({
      tokens: { status: tokens.status, failed: tokens.failed, type: tokens.body?.token_type },
      leads: tokens.body && (await read(tokens.body.access_token)),
      unknown: await read('gala_at_unknown'),
      key: await read(key),
    });
    document.body.append(seen);
  }
</script>`;

async function visit(allowedOrigins: string[]): Promise<any> {
  const email = newEmail();
  await workspaceOf(gala, email);
  await givePassword(gala, email);
  const { app } = await gala.app
    .get(ManageApps, { strict: false })
    .register(
      { name: 'Planner', redirectUris: [`${origin}/app`], scopes: ['leads:read'], allowedOrigins },
      { isPublic: true },
    );
  const key = await (await gala.createWorkspace()).key('test');
  page = appPage({ gala: gala.baseUrl, clientId: app.id, key });
  const { page: tab } = await openBrowser(browser, gala);
  await tab.goto(`${origin}/app`);
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: 'Allow' }).click();
  const seen = JSON.parse(await tab.locator('pre').innerText());
  await tab.context().close();
  return seen;
}

test('without its origin registered, a page of another origin gets no token and reads nothing', async () => {
  expect(await visit([])).toEqual({
    tokens: { failed: 'TypeError' },
    unknown: { failed: 'TypeError' },
    key: { failed: 'TypeError' },
  });
});

test('a page of a registered origin gets a token by PKCE and reads leads; an API key is refused', async () => {
  expect(await visit([origin])).toEqual({
    tokens: { status: 200, type: 'Bearer' },
    leads: {
      status: 200,
      requestId: expect.stringMatching(/./),
      body: { data: [], pagination: expect.objectContaining({ total: 0 }) },
    },
    unknown: {
      status: 401,
      requestId: expect.stringMatching(/./),
      body: { error: expect.objectContaining({ code: 'unauthorized' }) },
    },
    key: { failed: 'TypeError' },
  });
});
