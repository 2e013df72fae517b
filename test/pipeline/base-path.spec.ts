import { GUIDES } from '../../src/platform/openapi/guides';
import { pathOf, sent } from '../proposals/support';
import { type Answer, Client } from '../support/http-client';
import { PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { picture } from '../files/support';
import { startGala, type TestGala } from '../support/start-gala';

const PREFIX = '/gala';
const ADDRESS = `https://apps.test${PREFIX}`;
const headers = { 'X-Forwarded-Proto': 'https' };

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({
    configuration: {
      publicUrl: new URL(ADDRESS),
      trustedProxies: ['loopback'],
      webhookAllowedNetworks: ['127.0.0.0/8'],
    },
  });
});
afterAll(() => gala.stop());

/** A proxy in front of the prefix takes it away, or passes it on. */
const PROXIES = [
  { does: 'takes the path away', front: '' },
  { does: 'passes the path on', front: PREFIX },
];

/** The API as seen through such a proxy. */
class Proxied {
  constructor(
    private readonly front: string,
    private readonly key?: string,
  ) {}

  call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> {
    const client = new Client(gala.baseUrl, this.key);
    return client.request(method, this.front + path, body, { headers: { ...headers, ...more } });
  }

  async created(path: string, body?: unknown, more: Record<string, string> = {}): Promise<any> {
    const answer = await this.call('POST', path, body, more);
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    // Clients resolve it against the address that they called.
    expect(answer.headers.location).toMatch(new RegExp(`^${PREFIX}/v1/`));
    const followed = await this.call('GET', answer.headers.location!.slice(PREFIX.length));
    expect({ path, status: followed.status }).toEqual({ path, status: 200 });
    return answer.body;
  }
}

describe.each(PROXIES)('behind a proxy that $does', ({ front }) => {
  let api: Proxied;
  beforeAll(async () => {
    api = new Proxied(front, await (await gala.createWorkspace()).key('test'));
  });

  test('whatever is created is found where Location says, each kind of it', async () => {
    const called = new Set<string>();
    const create = (route: string, path: string, body?: unknown, more?: Record<string, string>) => {
      called.add(route);
      return api.created(path, body, more);
    };
    const { id: leadId } = await create('/v1/leads', '/v1/leads', { email: 'a@b.cz', phone: '+34600111222' });
    const upsert = { matchBy: 'email', email: 'ben@example.com' };
    await create('/v1/leads/upsert', '/v1/leads/upsert', upsert);
    const note = { type: 'note', text: 'Likes the garden.' };
    await create('/v1/leads/{id}/activities', `/v1/leads/${leadId}/activities`, note);
    await create('/v1/tasks', '/v1/tasks', { title: 'Send the menu' });
    await create('/v1/imports', '/v1/imports', {});
    await create('/v1/files', '/v1/files', await picture(), { 'Content-Type': 'image/png' });
    await create('/v1/stages', '/v1/stages', { key: 'tasting', name: 'Tasting' });
    await create('/v1/lost-reasons', '/v1/lost-reasons', { name: 'Over budget' });
    await create('/v1/lead-fields', '/v1/lead-fields', { key: 'room', label: 'Room', type: 'text' });
    const template = { name: 'visit_reminder', language: 'es', variables: ['Ana', 'viernes'] };
    await create('/v1/messages', '/v1/messages', { leadId, template });
    const proposal = await create('/v1/proposals', '/v1/proposals', {
      ...{ leadId, title: 'Wedding', lineItems: [{ description: 'Hall', unit: 'flat', unitAmount: 1 }] },
    });
    const { body } = await api.call('POST', `/v1/proposals/${proposal.id}/send`);
    expect(body.publicUrl).toMatch(new RegExp(`^${ADDRESS}/proposals/`));
    await create('/v1/proposals/{id}/revise', `/v1/proposals/${proposal.id}/revise`);
    const key = await create('/v1/api-keys', '/v1/api-keys', { name: 'Key' });
    await create('/v1/api-keys/{id}/rotate', `/v1/api-keys/${key.id}/rotate`);
    const space = await create('/v1/spaces', '/v1/spaces', { name: `Garden ${front}` });
    const saturday = { startsAt: '2927-06-12T16:00:00Z', endsAt: '2927-06-13T01:00:00Z' };
    await create('/v1/holds', '/v1/holds', { title: 'Pérez', ...saturday, spaceId: space.id });
    const times = { startsAt: '2027-06-05T14:00:00Z', endsAt: '2027-06-05T15:00:00Z' };
    await create('/v1/calendar-events', '/v1/calendar-events', { type: 'visit', title: 'Visit', ...times });
    await create('/v1/leads/{id}/visits', `/v1/leads/${leadId}/visits`, { startsAt: '2027-06-06T14:00:00Z' });
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['lead.*'] };
    await create('/v1/webhooks', '/v1/webhooks', hook);
    expect([...called].sort()).toEqual(await routesWithLocation());
  });

  test('a repeat with the same Idempotency-Key names the same place', async () => {
    const once = { 'Idempotency-Key': `key${front}` };
    const first = await api.call('POST', '/v1/leads', { email: 'ana@example.com' }, once);
    const again = await api.call('POST', '/v1/leads', { email: 'ana@example.com' }, once);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
  });

  test('plain HTTP is sent to the address with its path, once', async () => {
    for (const path of ['/v1/leads?page=2', '/', '', '/sign-in']) {
      const { status, headers } = await gala.anonymous.get(front + path || '/');
      expect({ status, location: headers.location }).toEqual({
        status: 301,
        location: ADDRESS + (path || '/'),
      });
    }
  });

  test('health is answered', async () => {
    expect((await gala.anonymous.get(`${front}/health/ready`)).status).toBe(200);
  });

  test('OAuth’s metadata is where RFC 8414 looks for it, and names the address everywhere', async () => {
    const wellKnown = '/.well-known/oauth-authorization-server';
    for (const path of [wellKnown + PREFIX, front + wellKnown]) {
      const { status, body } = await gala.anonymous.get(path, { headers });
      expect({ path, status, issuer: body.issuer }).toEqual({ path, status: 200, issuer: ADDRESS });
      for (const [name, value] of Object.entries(body)) {
        if (/endpoint$|documentation$/.test(name)) expect(value).toMatch(new RegExp(`^${ADDRESS}/`));
      }
    }
    expect((await gala.anonymous.get(`${wellKnown}/other`, { headers })).status).toBe(404);
  });

  test('every page and file of the reference and the guides is reached from the others', async () => {
    const seen = new Set<string>();
    const waiting = [
      `${ADDRESS}/docs`,
      `${ADDRESS}/docs/`,
      `${ADDRESS}/docs/guides`,
      `${ADDRESS}/docs/guides/`,
    ];
    for (let address = waiting.pop(); address; address = waiting.pop()) {
      if (seen.has(address)) continue;
      seen.add(address);
      expect(address).toMatch(new RegExp(`^${ADDRESS}/(docs|openapi.json)`));
      const answer = await api.call('GET', new URL(address).pathname.slice(PREFIX.length));
      const { location } = answer.headers;
      if (location) waiting.push(new URL(location, address).href);
      else expect({ address, status: answer.status }).toEqual({ address, status: 200 });
      if (!answer.headers['content-type']?.startsWith('text/html')) continue;
      for (const link of addressesIn(answer.text)) {
        const { href, host } = new URL(link, address);
        if (host === 'apps.test') waiting.push(href.replace(/#.*$/, ''));
      }
    }
    expect(seen.size).toBeGreaterThan(Object.keys(GUIDES).length + 8);
    const guide = await api.call('GET', '/docs/guides/sdk');
    expect(guide.text).not.toContain('http://localhost:3000');
  });

  test('the document and links for other programs carry it', async () => {
    const { body: document } = await api.call('GET', '/openapi.json');
    expect(document.servers).toEqual([{ url: ADDRESS }]);
    expect(document.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: `${ADDRESS}/oauth/authorize`,
      tokenUrl: `${ADDRESS}/oauth/token`,
    });

    const email = newEmail();
    const area = `/settings/${await workspaceOf(gala, email)}`;
    const browser = new PageClient(gala.baseUrl, headers);
    for (const [name, value] of (await browserOf(gala, email)).cookies) browser.cookies.set(name, value);
    expect((await browser.get(`${front}${area}`)).text).toContain(`curl ${ADDRESS}/v1/leads`);
    const calendar = `${area}/test/calendar`;
    const feed = await browser.submit(`${front}${calendar}/link`, {}, { on: front + calendar });
    const [link] = new RegExp(`${ADDRESS}/v1/calendar\\.ics\\?token=[\\w-]+`).exec(feed.text)!;
    const { pathname, search } = new URL(link);
    const answer = await new Proxied(front).call('GET', pathname.slice(PREFIX.length) + search);
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
  });

  test('people sign in and come back to the page that they asked for', async () => {
    const browser = new PageClient(gala.baseUrl, headers);
    const { status, headers: sentTo } = await browser.get(`${front}/account?notice=x`);
    expect({ status, location: sentTo.location }).toEqual({
      status: 303,
      location: `${PREFIX}/sign-in?return=${encodeURIComponent('/account?notice=x')}`,
    });
  });

  test('a client’s page of a proposal leads to itself', async () => {
    const client = await (await gala.createWorkspace()).client('test');
    const proxied = Object.assign(Object.create(client) as Client, {
      request: (method: string, path: string, body?: unknown) =>
        new Proxied(front, client.key).call(method, path, body),
    });
    const path = pathOf(await sent(proxied));
    expect(path).toMatch(new RegExp(`^${PREFIX}/proposals/`));
    const { text } = await new PageClient(gala.baseUrl, headers).get(front + path.slice(PREFIX.length));
    for (const address of addressesIn(text)) expect(address).toMatch(new RegExp(`^(#|${PREFIX}/)`));
    expect(text).toContain(`action="${path}/accept#accept"`);
  });
});

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)].map(([, address]) =>
    address!.replaceAll('&amp;', '&'),
  );

/** By the document, those that answer 201; test events and retries are deliveries, which have no address of their own yet. */
async function routesWithLocation(): Promise<string[]> {
  const { body } = await gala.anonymous.get('/openapi.json', { headers });
  return Object.entries<any>(body.paths)
    .filter(([path, { post }]) => post?.responses['201'] && !/test$|retry$/.test(path))
    .map(([path]) => path)
    .sort();
}
