import { expectCommonHeaders, expectRateHeaders, expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { exchange, rawRequest } from '../support/raw-http';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;

async function start(publicUrl: string, trustedProxies: string[] = []): Promise<void> {
  gala = await startGala({ configuration: { publicUrl: new URL(publicUrl), trustedProxies } });
  client = await (await gala.createWorkspace()).client();
}

describe('when the public address is https', () => {
  beforeAll(() => start('https://api.gala.test'));
  afterAll(() => gala.stop());

  test.each([
    '/',
    '/v1/leads',
    '/v1/leads?stage=lost&q=a%20b%26c',
    '/v1/leads/',
    '/v1/leads/%C3%A9',
    '/v1/leads/%FF',
    '/v1//leads?',
    '//evil.test/v1/leads',
    '/v1/nope?x=https://evil.test',
    '/metrics',
    '/healthy',
  ])('plain HTTP is sent there with path and query kept: %s', async (path) => {
    for (const caller of [client, gala.anonymous]) {
      const answer = await caller.get(path);
      expect({ status: answer.status, location: answer.headers.location }).toEqual({
        status: 301,
        location: `https://api.gala.test${path}`,
      });
      expectCommonHeaders(answer);
      expectRateHeaders(answer);
    }
  });

  test('never to what Host or a forwarding header names', async () => {
    for (const name of [
      'Host',
      'X-Forwarded-Host',
      'X-Forwarded-Server',
      'Forwarded',
      'X-Original-URL',
      'X-Host',
    ]) {
      const value = name === 'Forwarded' ? 'host=evil.test;proto=https' : 'evil.test';
      const answer = await client.get('/v1/leads', { headers: { [name]: value } });
      expect(answer.headers.location).toBe('https://api.gala.test/v1/leads');
    }
    const line = 'GET http://evil.test/v1/leads HTTP/1.1';
    const absolute = await exchange(gala.baseUrl, rawRequest(line));
    expect({ status: absolute.status, location: absolute.headers.location }).toEqual({
      status: 301,
      location: expect.stringMatching(/^https:\/\/api\.gala\.test\//),
    });
    const hostless = await exchange(gala.baseUrl, 'GET /v1/leads HTTP/1.0\r\n\r\n');
    expect(hostless.headers.location).toBe('https://api.gala.test/v1/leads');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'a %s too, and it does nothing',
    async (method) => {
      const body = method === 'HEAD' ? undefined : { email: 'ana@example.com' };
      const answer = await client.request(method, '/v1/leads', body);
      expect({ status: answer.status, location: answer.headers.location }).toEqual({
        status: 301,
        location: 'https://api.gala.test/v1/leads',
      });
    },
  );

  test('a proxy that nobody trusts can’t say that it was https', async () => {
    for (const headers of [
      { 'X-Forwarded-Proto': 'https' },
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '127.0.0.1' },
      { Forwarded: 'proto=https' },
      { 'X-Forwarded-Ssl': 'on', 'Front-End-Https': 'on', 'X-Url-Scheme': 'https' },
    ]) {
      expect((await client.post('/v1/leads', { email: 'ana@example.com' }, { headers })).status).toBe(301);
    }
  });

  test('health is told over plain HTTP, to whoever runs the service', async () => {
    expect((await gala.anonymous.get('/health/live')).status).toBe(200);
    expect((await gala.anonymous.get('/health/ready')).status).toBe(200);
  });
});

describe('when a trusted proxy stands in front', () => {
  beforeAll(() => start('https://api.gala.test', ['loopback']));
  afterAll(() => gala.stop());

  test('what it says came by https is served', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const created = await client.post('/v1/leads', { email: 'ana@example.com' }, { headers });
    expect(created.status).toBe(201);
    expect((await client.get(created.headers.location!, { headers })).status).toBe(200);
    expectRefusal(await gala.anonymous.get('/v1/leads', { headers }), 401);
  });

  test('what came by http, or without a word, is sent to https, and nothing is created', async () => {
    const lead = { email: 'never@example.com' };
    for (const headers of [{ 'X-Forwarded-Proto': 'http' }, {}, { 'X-Forwarded-Proto': 'http, https' }]) {
      const answer = await client.post('/v1/leads', lead, { headers });
      expect(answer.status).toBe(301);
    }
    const headers = { 'X-Forwarded-Proto': 'https' };
    const found = await client.get('/v1/leads?email=never@example.com', { headers });
    expect(found.body.pagination.total).toBe(0);
  });
});

describe('when the public address is https with a path in front', () => {
  beforeAll(() => start('https://gala.test/api/'));
  afterAll(() => gala.stop());

  test('the redirect keeps both', async () => {
    const answer = await client.get('/v1/leads?page=2');
    expect(answer.headers.location).toBe('https://gala.test/api/v1/leads?page=2');
  });
});

describe('when the public address is http', () => {
  beforeAll(() => start('http://localhost:3000'));
  afterAll(() => gala.stop());

  test('nothing is redirected, whatever a header says', async () => {
    for (const proto of ['http', 'https']) {
      const answer = await client.get('/v1/me', {
        headers: { 'X-Forwarded-Proto': proto, Host: 'evil.test' },
      });
      expect(answer.status).toBe(200);
    }
  });
});
