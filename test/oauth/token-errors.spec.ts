import { Clock } from '../../src/kernel/clock';
import { expectRateHeaders } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Answer } from '../support/http-client';
import type { Fields } from '../support/page-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { basic, newApp, postForm, type TestApp } from './support';

const clock = new FakeClock('2020-01-15T09:30:00.000Z');
let gala: TestGala;
let app: TestApp;
let stranger: TestApp;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  [app, stranger] = [await newApp(gala), await newApp(gala)];
});
afterAll(() => gala.stop());

const ROWS: Record<number, string> = { 400: 'bad_request', 401: 'unauthorized', 500: 'server_error' };

/** In the shape of RFC 6749 section 5.2 to a form, in the specification's envelope to JSON. */
function expectError(answer: Answer, status: number, error: string, shape: 'form' | 'json'): void {
  const { headers, body } = answer;
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  if (shape === 'form') {
    // The characters that RFC 6749 allows in error_description.
    const description = expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(body).toEqual({ error, error_description: description });
  } else {
    const message = expect.stringMatching(/\S/);
    const requestId = headers['x-request-id'];
    expect(body).toEqual({ error: { code: ROWS[status], message, status, requestId, reason: error } });
  }
  expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Basic realm="/);
  else expect(headers).not.toHaveProperty('www-authenticate');
  expectRateHeaders(answer);
}

async function send(fields: Fields, shape: 'form' | 'json', path = '/oauth/token'): Promise<Answer> {
  return shape === 'form' ? postForm(gala.anonymous, path, fields) : gala.anonymous.post(path, fields);
}

type Case = [what: string, status: number, error: string, fields: () => Promise<Fields> | Fields];

const client = () => ({ client_id: app.id, client_secret: app.secret! });
const exchange = (code: string) => ({
  ...{ grant_type: 'authorization_code', code },
  ...{ redirect_uri: app.redirectUri, ...client() },
});
async function expired() {
  const code = await app.code();
  clock.advance(300);
  return exchange(code);
}
async function used() {
  const code = await app.code();
  await app.redeem(code);
  return exchange(code);
}

const UNKNOWN = `gala_ac_${'x'.repeat(43)}`;
const cases: Case[] = [
  ['a wrong secret', 401, 'invalid_client', () => ({ ...exchange(UNKNOWN), client_secret: 'gala_cs_wrong' })],
  [
    'the secret of another app',
    401,
    'invalid_client',
    () => ({ ...exchange(UNKNOWN), client_secret: stranger.secret! }),
  ],
  ['no secret', 401, 'invalid_client', () => ({ ...exchange(UNKNOWN), client_secret: '' })],
  [
    'an unknown client',
    401,
    'invalid_client',
    () => ({ ...exchange(UNKNOWN), client_id: 'app_01h455vb4pex5vsknk084sn02q' }),
  ],
  [
    'a client_id that is none',
    401,
    'invalid_client',
    () => ({ ...exchange(UNKNOWN), client_id: 'undefined' }),
  ],
  [
    'a client_id that can be none',
    400,
    'invalid_request',
    () => ({ ...exchange(UNKNOWN), client_id: 'é\0' }),
  ],
  ['no client_id', 400, 'invalid_request', () => ({ ...exchange(UNKNOWN), client_id: '' })],
  ['an unknown code', 400, 'invalid_grant', () => exchange(UNKNOWN)],
  ['an expired code', 400, 'invalid_grant', expired],
  ['a code that was used', 400, 'invalid_grant', used],
  ['the code of another app', 400, 'invalid_grant', async () => exchange(await stranger.code())],
  ['no code', 400, 'invalid_request', () => ({ ...exchange(''), code: '' })],
  ['a code with a control character', 400, 'invalid_request', () => exchange('a\0b')],
  [
    'another redirect_uri',
    400,
    'invalid_grant',
    async () => ({ ...exchange(await app.code()), redirect_uri: `${app.redirectUri}/` }),
  ],
  [
    'no redirect_uri',
    400,
    'invalid_grant',
    async () => ({ ...exchange(await app.code()), redirect_uri: '' }),
  ],
  [
    'a grant type that is refused',
    400,
    'unsupported_grant_type',
    () => ({ grant_type: 'password', ...client() }),
  ],
  [
    'client_credentials',
    400,
    'unsupported_grant_type',
    () => ({ grant_type: 'client_credentials', ...client() }),
  ],
  ['no grant type', 400, 'invalid_request', client],
  ['nothing', 400, 'invalid_request', () => ({})],
  [
    'an unknown refresh token',
    400,
    'invalid_grant',
    () => ({ grant_type: 'refresh_token', refresh_token: 'gala_rt_x', ...client() }),
  ],
  [
    'an access token in place of a refresh token',
    400,
    'invalid_grant',
    async () => ({
      grant_type: 'refresh_token',
      refresh_token: (await app.install()).access_token,
      ...client(),
    }),
  ],
  ['no refresh token', 400, 'invalid_request', () => ({ grant_type: 'refresh_token', ...client() })],
];

describe.each(['form', 'json'] as const)('to a request of %s', (shape) => {
  test.each(cases)('%s is %i %s', async (_, status, error, fields) => {
    expectError(await send(await fields(), shape), status, error, shape);
  });

  test.each(['/oauth/revoke', '/oauth/introspect'])('%s knows its clients as well', async (path) => {
    const wrong = { ...client(), client_secret: 'wrong', token: 'x' };
    expectError(await send(wrong, shape, path), 401, 'invalid_client', shape);
    expectError(await send({ token: 'x' }, shape, path), 400, 'invalid_request', shape);
    expectError(await send(client(), shape, path), 400, 'invalid_request', shape);
  });

  test('the database away is 500 without a word of it', async () => {
    await sql(gala.databaseUrl, 'ALTER TABLE oauth_codes RENAME TO gone');
    try {
      expectError(await send(exchange(UNKNOWN), shape), 500, 'server_error', shape);
    } finally {
      await sql(gala.databaseUrl, 'ALTER TABLE gone RENAME TO oauth_codes');
    }
  });
});

describe('a parameter given twice', () => {
  test.each(['code', 'client_id', 'client_secret', 'redirect_uri', 'grant_type', 'scope', 'unknown'])(
    '%s is refused, and the code is good afterwards',
    async (name) => {
      const fields: Record<string, string> = { ...exchange(await app.code()), unknown: 'a', scope: 'a' };
      const twice = { ...fields, [name]: [fields[name]!, 'other'] };
      expectError(await send(twice, 'form'), 400, 'invalid_request', 'form');
      expectError(await send(twice, 'json'), 400, 'invalid_request', 'json');
      expect((await app.redeem(fields.code!)).status).toBe(200);
    },
  );

  test.each([[['x']], [{ toString: 'x' }], [5], [true]])('nor is %j a text in JSON', async (value) => {
    const answer = await gala.anonymous.post('/oauth/token', { ...exchange(UNKNOWN), code: value });
    expectError(answer, 400, 'invalid_request', 'json');
  });

  test('null counts as not given', async () => {
    const answer = await gala.anonymous.post('/oauth/token', { ...exchange(UNKNOWN), code: null });
    expectError(answer, 400, 'invalid_request', 'json');
  });
});

describe('a request that is no good', () => {
  test.each([
    ['malformed JSON', '{"grant_type":', 'application/json', 'json'],
    ['an array', '[]', 'application/json', 'json'],
    ['a form of bad UTF-8', 'code=%FF', 'application/x-www-form-urlencoded', 'form'],
    ['another content type', '<code/>', 'text/xml', 'form'],
    ['a type with json in it', '{}', 'application/json; charset=latin1', 'json'],
  ] as const)('%s is 400', async (_, body, type, shape) => {
    const answer = await gala.anonymous.post('/oauth/token', body, { headers: { 'Content-Type': type } });
    expectError(answer, 400, 'invalid_request', shape);
  });

  test.each(['Basic', 'Basic !!!', 'Basic bm9jb2xvbg==', 'Bearer abc', 'Digest x'])(
    'the credentials %s are no HTTP Basic',
    async (Authorization) => {
      const fields = { grant_type: 'authorization_code', code: UNKNOWN };
      const answer = await postForm(gala.anonymous, '/oauth/token', fields, { Authorization });
      expectError(answer, 401, 'invalid_client', 'form');
    },
  );

  test('two Authorization headers are refused', async () => {
    const { Authorization } = basic(app.id, app.secret);
    const answer = await gala.anonymous.post(
      '/oauth/token',
      { grant_type: 'refresh_token' },
      {
        headers: { Authorization: [Authorization, Authorization] },
      },
    );
    expectError(answer, 400, 'invalid_request', 'json');
  });
});

test('whatever else is asked under /oauth is 404 in the envelope, counted', async () => {
  for (const [method, path] of [
    ['GET', '/oauth/token'],
    ['PUT', '/oauth/token'],
    ['DELETE', '/oauth/authorize'],
    ['GET', '/oauth/revoke'],
    ['GET', '/oauth/introspect'],
    ['POST', '/oauth/nope'],
    ['GET', '/oauth'],
    ['OPTIONS', '/oauth/token'],
  ] as const) {
    const answer = await gala.anonymous.request(method, path);
    expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
    expect(answer.body.error).toMatchObject({ code: 'not_found', status: 404 });
    expectRateHeaders(answer);
  }
});

test('too many tries from one address are 429, in both shapes', async () => {
  const rateLimits = { reads: 100_000, writes: 100_000, address: 2 };
  const small = await startGala({ configuration: { rateLimits } });
  try {
    const fields = { grant_type: 'authorization_code', client_id: app.id, client_secret: 'guess', code: 'x' };
    for (const remaining of [1, 0]) {
      const { status, headers } = await postForm(small.anonymous, '/oauth/token', fields);
      expect([status, Number(headers['x-ratelimit-remaining'])]).toEqual([401, remaining]);
    }
    const refused = await postForm(small.anonymous, '/oauth/token', fields);
    expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const inJson = await small.anonymous.post('/oauth/token', fields);
    expect(inJson).toMatchObject({ status: 429, body: { error: { code: 'rate_limit', status: 429 } } });
    expectRateHeaders(inJson);
  } finally {
    await small.stop();
  }
});
