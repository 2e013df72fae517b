import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { launchBrowser } from '../support/browser';
import { fileNeeds } from '../support/requirements';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { SdkProject } from './build-sdk';
import { FlakyProxy } from './flaky-proxy';

fileNeeds('browser');

jest.setTimeout(120_000);

const MOST_BYTES = 12 * 1024;
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const EVENT = JSON.stringify({ type: 'lead.created', data: { name: 'Zoë 😀' } });

let gala: TestGala;
let workspace: TestWorkspace;
let project: SdkProject;
let proxy: FlakyProxy;
let browser: Browser;
/** All of the SDK as one script, which sets the variable `sdk`. */
let bundle: string;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  workspace = await gala.createWorkspace();
  proxy = await new FlakyProxy(gala.baseUrl).start();
  project = new SdkProject((await gala.anonymous.get('/openapi.json')).text);
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@gala/sdk';`, resolveDir: project.path },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    globalName: 'sdk',
  });
  bundle = outputFiles[0]!.text;
});
afterAll(async () => {
  await browser.close();
  proxy.stop();
  project.remove();
  await gala.stop();
});

function signatureHeaders(): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, EVENT),
  };
}

test('all of it takes a browser no more than 12 KB to load', () => {
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(MOST_BYTES);
});

test('a page creates and lists leads, repeats what failed, and learns of refusals and redirects', async () => {
  const token = await workspace.key('test');
  const page = await (await browser.newContext()).newPage();
  // On the service's own origin, so that no CORS is needed.
  await page.route('**/page', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>SDK</title>' }),
  );
  await page.goto(`${proxy.url}/page`);
  await page.addScriptTag({ content: bundle });
  proxy.mishaps = ['lost', { status: 503 }];
  const seen = await page.evaluate(
    async ({ baseUrl, token, secret, headers, event }) => {
      const { Gala, ValidationError, verifyWebhook, WebhookVerificationError } = (globalThis as any).sdk;
      // As on a page that came over plain HTTP.
      delete (Crypto.prototype as any).randomUUID;
      const gala = new Gala({ baseUrl, token });
      const refused = (promise: Promise<unknown>): Promise<any> => promise.catch((error: unknown) => error);
      await gala.post('/v1/leads', { body: { email: 'ana@example.com', guests: 120 } });
      await gala.post('/v1/leads', { body: { email: 'ben@example.com' } });
      const emails: string[] = [];
      const query = { limit: 1, sort: 'createdAt' };
      for await (const lead of gala.list('/v1/leads', { params: { query } })) emails.push(lead.email);
      const invalid = await refused(gala.post('/v1/leads', { body: { email: 'no' } }));
      const bytes = new TextEncoder().encode(event);
      const forged = new TextEncoder().encode(event.replace('Zoë', 'Eve'));
      const verify = (body: Uint8Array): Promise<any> =>
        Promise.resolve().then(() => verifyWebhook(secret, headers, body));
      return {
        emails,
        invalid: [invalid instanceof ValidationError, invalid.field],
        name: (await verify(bytes)).data.name,
        isForgeryRefused: (await refused(verify(forged))) instanceof WebhookVerificationError,
      };
    },
    { baseUrl: proxy.url, token, secret: SECRET, headers: signatureHeaders(), event: EVENT },
  );
  expect(seen).toEqual({
    emails: ['ana@example.com', 'ben@example.com'],
    invalid: [true, 'email'],
    name: 'Zoë 😀',
    isForgeryRefused: true,
  });
  const keys = proxy.seen.filter(({ method }) => method === 'POST').map(({ key }) => key);
  expect(keys).toHaveLength(5);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(new Set(keys).size).toBe(3);

  proxy.mishaps = [{ status: 301, headers: { Location: 'https://gala.example.com/v1/me' } }];
  const moved = await page.evaluate(
    ({ baseUrl, token }) =>
      new (globalThis as any).sdk.Gala({ baseUrl, token }).get('/v1/me').catch((error: Error) => error.name),
    { baseUrl: proxy.url, token },
  );
  expect(moved).toBe('ConnectionError');
  await page.context().close();
});

test('it runs where there are Web APIs alone', async () => {
  const web = {
    ...{ AbortSignal, crypto, Headers, Request, Response, TextDecoder, TextEncoder, URL, URLSearchParams },
    ...{ clearTimeout, setTimeout },
  };
  const answers = [new Response(null, { status: 503 }), Response.json({ mode: 'test' })];
  const asked: Request[] = [];
  const fetch = (request: Request) => {
    asked.push(request);
    return Promise.resolve(answers.shift()!);
  };
  const context = createContext({ ...web, fetch });
  runInContext(bundle, context);
  expect(runInContext('typeof process + typeof require + typeof Buffer', context)).toBe(
    'undefined'.repeat(3),
  );
  const { Gala, verifyWebhook } = runInContext('sdk', context);
  const client = new Gala({ baseUrl: 'https://gala.example.com', token: 'gala_test_1' });
  expect(await client.get('/v1/me')).toEqual({ mode: 'test' });
  expect(asked.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual(
    Array(2).fill(['https://gala.example.com/v1/me', 'Bearer gala_test_1']),
  );
  expect(verifyWebhook(SECRET, signatureHeaders(), EVENT).data.name).toBe('Zoë 😀');
});
