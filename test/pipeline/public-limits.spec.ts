import { expectRateHeaders, expectRefusal } from '../support/expect-refusal';
import { type Answer, Client } from '../support/http-client';
import { PageClient } from '../support/page-client';
import { browserOf, newEmail } from '../support/people';
import { routesOf } from '../support/route-sweep';
import { startGala, type TestGala } from '../support/start-gala';

const LIMIT = 3;
/** They cost nothing or need a token of the operator's, and have to answer always. */
const UNLIMITED = /^\/(health|metrics)(\/|$)/;
/** Served in front of the routes. */
const FILES = [
  '/docs',
  '/docs/reference.js',
  '/docs/guides/first-lead',
  '/docs/swagger-ui.css',
  '/docs/nowhere',
  '/openapi.json',
  '/assets/icon.svg',
].map((path) => ({ method: 'GET', path, kind: 'file' }));

let gala: TestGala;
let addresses = 0;
beforeAll(async () => {
  gala = await startGala({
    configuration: {
      rateLimits: { reads: 1000, writes: 1000, address: LIMIT },
      publicRateLimits: { pages: LIMIT, files: LIMIT },
      trustedProxies: ['loopback'],
    },
  });
});
afterAll(() => gala.stop());

const newAddress = () => ({ 'X-Forwarded-For': `10.9.${addresses >> 8}.${addresses++ & 255}` });

function publicCalls(): { method: string; path: string; kind: string }[] {
  return routesOf(gala)
    .filter(({ access }) => access.kind === 'public' || access.kind === 'page')
    .flatMap(({ method, paths, access: { kind } }) =>
      paths
        .filter((path) => !UNLIMITED.test(path))
        .map((path) => ({
          method: method === 'ALL' ? 'GET' : method,
          path: path.replace(/\{?\*path\}?/, 'nowhere').replace(/:\w+/g, 'x'),
          kind,
        })),
    );
}

test('whatever is open to anyone is refused to an address that asks too often, and to no other', async () => {
  const calls = [...publicCalls(), ...FILES];
  expect(calls.length).toBeGreaterThan(70);
  const failures: string[] = [];
  for (const call of calls) {
    await expectLimited(call).catch((error: unknown) =>
      failures.push(`${call.method} ${call.path}: ${(error as Error).message}`),
    );
  }
  if (failures.length) throw new Error(failures.join('\n\n'));
});

async function expectLimited({ method, path, kind }: { method: string; path: string; kind: string }) {
  const address = newAddress();
  const ask = (headers: Record<string, string>): Promise<Answer> =>
    new Client(gala.baseUrl).request(method, path, method === 'POST' ? 'a=b' : undefined, {
      headers: {
        ...headers,
        ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
    });
  for (let count = 0; count < LIMIT; count++) expect((await ask(address)).status).not.toBe(429);
  const refused = await ask(address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const isApi = /^\/(v1|oauth)(\/|$)/.test(path);
  if (isApi) expectRateHeaders(refused);
  if (kind === 'page') expect(refused.text).toContain('<html');
  else if (!/^\/oauth\/(token|revoke|introspect)$/.test(path))
    expectRefusal(refused, 429, { counted: isApi });
  expect((await ask(newAddress())).status).not.toBe(429);
}

describe('people who share an address', () => {
  const office = newAddress();
  const visits = async (browser: PageClient, count: number) => {
    const statuses: number[] = [];
    for (let left = count; left > 0; left--)
      statuses.push((await browser.get('/account', { headers: office })).status);
    return statuses;
  };

  test('are each counted for themselves once they are signed in', async () => {
    const stranger = new PageClient(gala.baseUrl, office);
    for (let count = 0; count < 2 * LIMIT; count++) await stranger.get('/sign-in');
    expect((await stranger.get('/sign-in')).status).toBe(429);
    const [ana, ben] = [await browserOf(gala, newEmail()), await browserOf(gala, newEmail())];
    expect(await visits(ana, LIMIT + 1)).toEqual([...Array<number>(LIMIT).fill(200), 429]);
    expect(await visits(ben, LIMIT)).toEqual(Array<number>(LIMIT).fill(200));
  });

  test('a person has one limit, whatever browser and address', async () => {
    const email = newEmail();
    expect(await visits(await browserOf(gala, email), LIMIT)).toEqual(Array<number>(LIMIT).fill(200));
    const elsewhere = await browserOf(gala, email);
    expect((await elsewhere.get('/account', { headers: newAddress() })).status).toBe(429);
  });

  test('with invented cookies are counted by their address', async () => {
    const forger = new PageClient(gala.baseUrl, newAddress());
    const statuses: number[] = [];
    for (let count = 0; count <= LIMIT; count++) {
      forger.cookies.set('gala', `${'A'.repeat(42)}${count}`);
      statuses.push((await forger.get('/settings')).status);
    }
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(303), 429]);
  });
});
