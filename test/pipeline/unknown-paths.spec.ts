import { expectCommonHeaders, expectRateHeaders, expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { exchange, rawRequest } from '../support/raw-http';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());
afterEach(async () => {
  expect((await client.get('/v1/me')).status).toBe(200);
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'LINK'];

describe('an unknown path under /v1', () => {
  test.each(METHODS)('is 404 with a key and 401 without one: %s', async (method) => {
    expectRefusal(await client.request(method, '/v1/nope'), 404);
    expectRefusal(await gala.anonymous.request(method, '/v1/nope'), 401, { challenge: 'plain' });
  });

  test.each([
    '/v1',
    '/v1/',
    '/v1/leads/',
    '/v1/Leads',
    '/v1/me/more',
    '/v1//leads',
    '/v1/leads/x/y/z',
    '/v1/api-keys/x/restore',
    '/v1/.env',
    '/v1/leads;a=b',
    '/v1/leads%2F',
    '/v1/../v1/me',
    `/v1/${'x'.repeat(8000)}`,
  ])('is not taken for one that looks alike: %s', async (path) => {
    expectRefusal(await client.get(path), 404);
    expectRefusal(await gala.anonymous.get(path), 401);
  });

  test.each([
    ['a query', 'GET', '/v1/nope?page=1', undefined],
    ['a JSON body', 'POST', '/v1/nope', '{"name":"Ana"}'],
    ['a body that is no JSON', 'PUT', '/v1/leads', 'name=Ana'],
  ])('is 404 and nothing else when %s comes along', async (_, method, path, body) => {
    expectRefusal(await client.request(method, path, body), 404);
  });
});

describe('an unknown method of a known path', () => {
  test.each([
    ['PUT', '/v1/leads/lead_01h455vb4pex5vsknk084sn02q', { stage: 'lost' }],
    ['PUT', '/v1/leads', { email: 'ana@example.com' }],
    ['DELETE', '/v1/leads', undefined],
    ['PATCH', '/v1/leads', { stage: 'lost' }],
    ['POST', '/v1/me', undefined],
    ['POST', '/v1/leads/lead_01h455vb4pex5vsknk084sn02q', {}],
    ['OPTIONS', '/v1/leads', undefined],
    ['TRACE', '/v1/leads', undefined],
  ])('is 404, or 401 without a key: %s %s', async (method, path, body) => {
    expectRefusal(await client.request(method, path, body), 404);
    expectRefusal(await gala.anonymous.request(method, path, body), 401, { challenge: 'plain' });
  });

  test('makes browsers no promises: an OPTIONS with an Origin is 404 without CORS headers', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' };
    const answer = await client.request('OPTIONS', '/v1/leads', undefined, { headers });
    expectRefusal(answer, 404);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('an unknown path elsewhere', () => {
  test.each([
    '/nope',
    '/v2/leads',
    '/V1/me',
    '/v1x',
    '//v1/me',
    '/%76%31/me',
    '/healthz',
    '/%FF',
    '/..%2f..',
  ])('is 404 in the envelope, without authentication: %s', async (path) => {
    expectRefusal(await gala.anonymous.get(path), 404, { counted: false });
    expectRefusal(await gala.anonymous.post(path, { any: 'body' }), 404, { counted: false });
  });

  test.each(['OPTIONS * HTTP/1.1', 'TRACE / HTTP/1.1', 'PUT /index.html HTTP/1.1'])(
    'is 404: %s',
    async (line) => {
      expectRefusal(await exchange(gala.baseUrl, rawRequest(line)), 404, { counted: false });
    },
  );
});

describe('percent-encoding that can’t be decoded', () => {
  const broken = ['%', '%F', '%FF', '%C3', '%C3%28', '%E0%A4%A', '%ED%A0%80', '%zz', '..%2f..%FF'];

  test.each(broken)('is 404 where an id should be, and 401 without a key: %s', async (segment) => {
    for (const [method, end] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as const) {
      const path = `/v1/leads/${segment}${end}`;
      const body = method === 'PATCH' ? {} : undefined;
      expectRefusal(await client.request(method, path, body), 404);
      expectRefusal(await gala.anonymous.request(method, path, body), 401, { challenge: 'plain' });
    }
  });

  test.each(broken)('is 400 elsewhere in a path, and 401 without a key: %s', async (segment) => {
    expectRefusal(await client.get(`/v1/${segment}`), 400);
    expectRefusal(await gala.anonymous.get(`/v1/${segment}`), 401, { challenge: 'plain' });
  });

  test.each(broken)('is 400 in a query, and 401 without a key: %s', async (text) => {
    for (const query of [`q=${text}`, `${text}=1`, `stage=lost&q=a${text}`]) {
      expectRefusal(await client.get(`/v1/leads?${query}`), 400);
      expectRefusal(await client.get(`/v1/me?${query}`), 400);
      expectRefusal(await client.post(`/v1/leads?${query}`, { email: 'ana@example.com' }), 400);
      expectRefusal(await gala.anonymous.get(`/v1/leads?${query}`), 401, { challenge: 'plain' });
    }
  });

  test('is no matter when it can be decoded: an encoded id is found', async () => {
    const { body } = await client.post('/v1/leads', { email: 'ana@example.com' });
    const encoded = body.id.replace('lead_', '%6Cead%5f');
    expect((await client.get(`/v1/leads/${encoded}`)).body).toEqual(body);
    expectRefusal(await client.get(`/v1/leads/${body.id}%00`), 404);
    expectRefusal(await client.get(`/v1/leads/${body.id}%2F..`), 404);
  });
});

describe('HEAD', () => {
  test.each(['/v1/me', '/v1/leads'])('answers like GET, without a body: %s', async (path) => {
    const [head, get] = [await client.request('HEAD', path), await client.get(path)];
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expectCommonHeaders(head);
    expectRateHeaders(head);
  });

  test.each([
    ['/v1/nope', 404],
    ['/v1/leads/lead_01h455vb4pex5vsknk084sn02q', 404],
    ['/v1/leads?page=0', 422],
    ['/v1/%FF', 400],
  ])('is refused like GET, without a body: %s', async (path, status) => {
    const head = await client.request('HEAD', path);
    expect({ status: head.status, text: head.text }).toEqual({ status, text: '' });
    expectRateHeaders(head);
    const stranger = await gala.anonymous.request('HEAD', path);
    expect({ status: stranger.status, text: stranger.text }).toEqual({ status: 401, text: '' });
    expectRateHeaders(stranger);
  });
});
