import { expectRefusal } from '../support/expect-refusal';
import { type Answer, Client } from '../support/http-client';
import { exchange, rawRequest } from '../support/raw-http';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let key: string;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  key = await workspace.key('live');
  client = new Client(gala.baseUrl, key);
});
afterAll(() => gala.stop());

const withHeader = (authorization: string | string[]) =>
  gala.anonymous.get('/v1/me', { headers: { Authorization: authorization } });

describe('a key in the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'is taken whatever the case of the scheme: %s',
    async (scheme) => {
      expect((await withHeader(`${scheme} ${key}`)).status).toBe(200);
    },
  );

  test('is case-sensitive, and has to be whole and alone', async () => {
    const swapCase = (text: string) =>
      text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
    for (const wrong of [
      key.toUpperCase(),
      key.toLowerCase(),
      `gala_live_${swapCase(key.slice('gala_live_'.length))}`,
      key.slice(0, -1),
      key.slice(1),
      `${key}x`,
      `"${key}"`,
      `${key},`,
      `${key} ${key}`,
      ` ${key}`,
      `${key}%00`,
      key.replace('live', 'test'),
      `Bearer ${key}`,
    ]) {
      expectRefusal(await withHeader(`Bearer ${wrong}`), 401, { challenge: 'invalid_token' });
    }
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer undefined',
    'Bearer null',
    'Bearer 0',
    'Bearer *',
    'Bearer %',
    "Bearer ' OR 1=1 --",
    'Bearer gala_live_',
    `Bearer gala_live_${'0'.repeat(38)}`,
    `Bearer ${'x'.repeat(8000)}`,
    'Basic Z2FsYTpnYWxh',
    'Bearer\u00a0x',
    'Token x',
  ])('is missed in %j, which is 401 and never someone else’s data', async (authorization) => {
    const answer = await withHeader(authorization);
    expectRefusal(answer, 401, { challenge: 'invalid_token' });
  });

  test('is not read under another scheme', async () => {
    for (const authorization of [
      key,
      `Basic ${key}`,
      `Token ${key}`,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    ]) {
      expectRefusal(await withHeader(authorization), 401);
    }
  });
});

describe('two Authorization headers are 401', () => {
  test.each([
    ['good and bad', (good: string) => [`Bearer ${good}`, 'Bearer gala_live_wrong']],
    ['bad and good', (good: string) => ['Bearer gala_live_wrong', `Bearer ${good}`]],
    ['the same twice', (good: string) => [`Bearer ${good}`, `Bearer ${good}`]],
    ['empty and good', (good: string) => ['', `Bearer ${good}`]],
    ['Basic and good', (good: string) => ['Basic eDp5', `Bearer ${good}`]],
  ])('%s', async (_, headers) => {
    expectRefusal(await withHeader(headers(key)), 401, { challenge: 'invalid_token' });
    const lines = headers(key).map(
      (value, index) => `${index ? 'AUTHORIZATION' : 'authorization'}: ${value}`,
    );
    expectRefusal(await exchange(gala.baseUrl, rawRequest('GET /v1/me HTTP/1.1', lines)), 401);
  });
});

describe('a key elsewhere than in the header', () => {
  test.each(['access_token', 'apiKey', 'api_key', 'key', 'token', 'authorization'])(
    'is no credential in a query, and an unknown parameter beside a good one: %s',
    async (name) => {
      const path = `/v1/leads?${name}=${key}`;
      const answer = await gala.anonymous.get(path);
      expectRefusal(answer, 401, { challenge: 'plain' });
      expect(JSON.stringify([answer.headers, answer.text])).not.toContain(key);
      const known = await client.get(path);
      expectRefusal(known, 422, { field: name });
      expect(JSON.stringify([known.headers, known.text])).not.toContain(key);
    },
  );

  test('is no credential in a body, whatever its type', async () => {
    const bodies: [string, string][] = [
      ['application/json', JSON.stringify({ access_token: key, email: 'ana@example.com' })],
      ['application/x-www-form-urlencoded', `access_token=${key}`],
    ];
    for (const [type, body] of bodies) {
      const options = { headers: { 'Content-Type': type } };
      expectRefusal(await gala.anonymous.post('/v1/leads', body, options), 401, { challenge: 'plain' });
    }
    expectRefusal(await client.post('/v1/leads', bodies[0]![1]), 422, { field: 'access_token' });
  });

  test.each(['Cookie', 'X-Api-Key', 'Proxy-Authorization', 'X-Authorization'])(
    'is none in %s',
    async (name) => {
      for (const value of [key, `Bearer ${key}`, `authorization=Bearer ${key}`, `access_token=${key}`]) {
        const answer = await gala.anonymous.get('/v1/me', { headers: { [name]: value } });
        expectRefusal(answer, 401, { challenge: 'plain' });
      }
    },
  );
});

describe('a key that has ended', () => {
  const made = async (fields: object): Promise<{ client: Client; id: string }> => {
    const { body } = await client.post('/v1/api-keys', { name: 'Brief', scopes: ['leads:read'], ...fields });
    return { client: new Client(gala.baseUrl, body.key), id: body.id };
  };

  test('is 401 from the very next request after it was revoked', async () => {
    const brief = await made({});
    expect((await brief.client.get('/v1/leads')).status).toBe(200);
    await client.delete(`/v1/api-keys/${brief.id}`);
    expectRefusal(await brief.client.get('/v1/leads'), 401, { challenge: 'invalid_token' });
    expectRefusal(await brief.client.post('/v1/leads', '{'), 401, { challenge: 'invalid_token' });
    expectRefusal(await brief.client.get('/v1/nope'), 401, { challenge: 'invalid_token' });
  });

  test('may revoke itself, once', async () => {
    const brief = await made({});
    expect((await brief.client.delete(`/v1/api-keys/${brief.id}`)).status).toBe(200);
    expectRefusal(await brief.client.delete(`/v1/api-keys/${brief.id}`), 401);
  });

  test('is 401 as soon as its time is over', async () => {
    const expiresAt = new Date(Date.now() + 1500);
    const brief = await made({ expiresAt: expiresAt.toISOString() });
    const first = await brief.client.get('/v1/leads');
    if (Date.now() < expiresAt.getTime()) expect(first.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now() + 20));
    expectRefusal(await brief.client.get('/v1/leads'), 401, { challenge: 'invalid_token' });
  });

  test('is 401 even when its address has used up its share, which hides nothing but guesses', async () => {
    const strict = await startGala({
      databaseUrl: gala.databaseUrl,
      configuration: { rateLimits: { reads: 100, writes: 100, address: 2 } },
    });
    try {
      const revoked = await made({});
      const expired = await made({ expiresAt: new Date(Date.now() + 300).toISOString() });
      await client.delete(`/v1/api-keys/${revoked.id}`);
      await new Promise((resolve) => setTimeout(resolve, 400));
      for (let attempt = 0; attempt < 3; attempt++) await strict.anonymous.get('/v1/me');
      expectRefusal(await strict.anonymous.get('/v1/me'), 429);
      for (const { client: ended } of [revoked, expired]) {
        for (let attempt = 0; attempt < 3; attempt++) {
          const answer = await new Client(strict.baseUrl, ended.key).get('/v1/me');
          expectRefusal(answer, 401, { challenge: 'invalid_token' });
        }
      }
    } finally {
      await strict.stop();
    }
  });
});

describe('many callers at once', () => {
  test('are each known as who they are', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => workspace.client('live', [])));
    const own = await Promise.all(clients.map(async (one) => (await one.get('/v1/me')).body.credential.id));
    expect(new Set(own).size).toBe(clients.length);
    const rounds = Array.from({ length: 160 }, (_, index) => index);
    const answers = await Promise.all(
      rounds.map((index): Promise<Answer> =>
        index % 5 === 4 ? gala.anonymous.get('/v1/me') : clients[index % 8]!.get('/v1/me'),
      ),
    );
    answers.forEach((answer, index) => {
      if (index % 5 === 4) expectRefusal(answer, 401);
      else expect(answer.body.credential.id).toBe(own[index % 8]);
    });
  });
});
