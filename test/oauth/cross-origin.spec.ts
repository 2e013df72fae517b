import { Controller, Get, Module } from '@nestjs/common';
import { ManageApps } from '../../src/modules/oauth';
import { RequireScope } from '../../src/platform/access/access.decorators';
import { expectRefusal } from '../support/expect-refusal';
import { type Answer, Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';
import { basic, challengeOf, newApp, postForm, type TestApp, type Tokens } from './support';

const HERE = 'https://app.example.com';
const THERE = 'https://other.example.com';
const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';

@Controller('v1/broken')
class BrokenController {
  @Get()
  @RequireScope('leads:read')
  get() {
    throw new Error('out of order');
  }
}

@Module({ controllers: [BrokenController] })
class BrokenModule {}

let gala: TestGala;
/** A public app with the origin HERE. */
let planner: TestApp;
/** A confidential app with the origin THERE. */
let other: TestApp;
let tokens: Tokens;
let otherTokens: Tokens;
beforeAll(async () => {
  gala = await startGala({ extensions: [{ module: BrokenModule }] });
  planner = await newApp(gala, { isPublic: true, allowedOrigins: [HERE] });
  other = await newApp(gala, { allowedOrigins: [THERE] });
  tokens = await installPublic();
  otherTokens = await other.install();
  for (const origin of [HERE, THERE]) await registered(origin);
});
afterAll(() => gala.stop());

async function installPublic(): Promise<Tokens> {
  const code = await planner.code(challengeOf(VERIFIER));
  return (await planner.redeem(code, { code_verifier: VERIFIER })).body;
}

const preflight = (path: string, origin: string, method = 'GET', client = gala.anonymous): Promise<Answer> =>
  client.request('OPTIONS', path, undefined, {
    headers: {
      ...{ Origin: origin, 'Access-Control-Request-Method': method },
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });

/** Origins are cached for a moment. */
const registered = (origin: string) =>
  until(async () => (await preflight('/v1/leads', origin)).status === 204, `${origin} to be known`);

const from = (origin: string) => ({ headers: { Origin: origin } });
const allowed = ({ headers }: Answer) => headers['access-control-allow-origin'];

describe('a preflight', () => {
  test.each([
    ['/v1/leads', 'POST'],
    ['/v1/leads/lead_01h455vb4pex5vsknk084sn02q', 'PATCH'],
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/.well-known/oauth-authorization-server', 'GET'],
  ])('of a registered origin is answered without a token: %s', async (path, method) => {
    const { status, text, headers } = await preflight(path, HERE, method);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': HERE,
      'access-control-max-age': '7200',
      vary: 'Origin',
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    });
    expect(headers['access-control-allow-methods']!.split(', ')).toContain(method);
    expect(headers['access-control-allow-headers']!.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-match']),
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    'https://app.example.com.evil.test',
    'https://evil.test',
    'https://sub.app.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com/',
    'HTTPS://APP.EXAMPLE.COM',
    'null',
    '*',
    '',
    `${HERE}, ${HERE}`,
  ])('of %j is an unknown call, and browsers stop', async (origin) => {
    const answer = await preflight('/v1/leads', origin, 'POST');
    expectRefusal(answer, 401, { challenge: 'plain' });
    expect(answer.headers.vary).toContain('Origin');
  });

  test.each(['/oauth/introspect', '/oauth/authorize', '/sign-in', '/settings', '/docs', '/health/live'])(
    'is answered nowhere else: %s',
    async (path) => {
      const answer = await preflight(path, HERE, 'POST');
      expect(answer.status).not.toBe(204);
      expect(allowed(answer)).toBeUndefined();
    },
  );

  test('counts against its address, and never against a credential or failed requests', async () => {
    const strict = await startGala({
      databaseUrl: gala.databaseUrl,
      configuration: {
        rateLimits: { reads: 1000, writes: 200, address: 3 },
        publicRateLimits: { pages: 100, files: 3 },
      },
    });
    try {
      const statuses: number[] = [];
      for (let index = 0; index < 4; index++)
        statuses.push((await preflight('/v1/leads', HERE, 'GET', strict.anonymous)).status);
      expect(statuses).toEqual([204, 204, 204, 429]);
      expectLimit(await preflight('/v1/leads', HERE, 'GET', strict.anonymous));
      const read = await planner.as(tokens, strict.baseUrl).get('/v1/leads', from(HERE));
      expect(read.headers['x-ratelimit-remaining']).toBe('999');
      const failed = await strict.anonymous.get('/v1/leads');
      expect(failed.headers['x-ratelimit-remaining']).toBe('2');
    } finally {
      await strict.stop();
    }
  });

  function expectLimit({ status, headers }: Answer): void {
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
    });
  }

  test('OPTIONS that is no preflight stays what it was', async () => {
    const options = (headers: Record<string, string>) =>
      gala.anonymous.request('OPTIONS', '/v1/leads', undefined, { headers });
    expectRefusal(await options({}), 401, { challenge: 'plain' });
    expectRefusal(await options({ 'Access-Control-Request-Method': 'GET' }), 401, { challenge: 'plain' });
    expect((await options({ Origin: HERE })).status).toBe(401);
  });
});

describe('a request with an app’s token', () => {
  test('can be read by pages of the app’s origin, with the headers that clients use', async () => {
    const created = await planner.as(tokens).post('/v1/leads', { email: 'ana@example.com' }, from(HERE));
    const read = await planner.as(tokens).get(created.headers.location!, from(HERE));
    for (const { headers, status } of [created, read]) {
      expect([200, 201]).toContain(status);
      expect(headers).toMatchObject({ 'access-control-allow-origin': HERE, vary: 'Origin' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['access-control-expose-headers']!.split(', ')).toEqual(
        expect.arrayContaining([
          ...['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id'],
          ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
        ]),
      );
    }
  });

  test('can’t be read by pages of another app’s origin, nor of one that nobody registered', async () => {
    const answers = [
      await planner.as(tokens).get('/v1/leads', from(THERE)),
      await other.as(otherTokens).get('/v1/leads', from(HERE)),
      await planner.as(tokens).get('/v1/leads', from('https://evil.test')),
      await planner.as(tokens).get('/v1/leads', from('null')),
    ];
    expect(answers.map((answer) => [answer.status, allowed(answer)])).toEqual(
      answers.map(() => [200, undefined]),
    );
    expect(allowed(await other.as(otherTokens).get('/v1/leads', from(THERE)))).toBe(THERE);
  });

  test('is answered as ever without an Origin, and caches give that response to no page', async () => {
    const metadata = gala.anonymous.get('/.well-known/oauth-authorization-server');
    const leads = [planner.as(tokens), gala.anonymous].map((client) => client.get('/v1/leads'));
    for (const answer of await Promise.all([metadata, ...leads])) {
      expect(allowed(answer)).toBeUndefined();
      expect(answer.headers.vary).toBe('Origin');
      expect(answer.headers).not.toHaveProperty('access-control-expose-headers');
    }
  });

  test('can be read when it is refused', async () => {
    const client = planner.as(tokens);
    const narrow = await newApp(gala, { allowedOrigins: [HERE], scopes: ['leads:write'] });
    const answers: [status: number, answer: Answer][] = [
      [401, await gala.anonymous.get('/v1/leads', from(HERE))],
      [401, await new Client(gala.baseUrl, 'gala_at_unknown').get('/v1/leads', from(HERE))],
      [403, await narrow.as(await narrow.install({ scope: 'leads:write' })).get('/v1/leads', from(HERE))],
      [404, await client.get('/v1/leads/lead_00000000000000000000000000', from(HERE))],
      [404, await client.get('/v1/nowhere', from(HERE))],
      [422, await client.get('/v1/leads?colour=red', from(HERE))],
      [400, await client.post('/v1/leads', '{', from(HERE))],
      [500, await client.get('/v1/broken', from(HERE))],
    ];
    expect(answers.map(([, answer]) => [answer.status, allowed(answer)])).toEqual(
      answers.map(([status]) => [status, HERE]),
    );
  });

  test('can be read when it was revoked, and when it is one too many', async () => {
    const strict = await startGala({
      databaseUrl: gala.databaseUrl,
      configuration: { rateLimits: { reads: 1, writes: 1, address: 1000 } },
    });
    try {
      const own = await installPublic();
      const client = planner.as(own, strict.baseUrl);
      await client.get('/v1/leads', from(HERE));
      const over = await client.get('/v1/leads', from(HERE));
      await planner.call('/oauth/revoke', { token: own.refresh_token });
      const revoked = await client.get('/v1/leads', from(HERE));
      expect([over.status, allowed(over), revoked.status, allowed(revoked)]).toEqual([429, HERE, 401, HERE]);
    } finally {
      await strict.stop();
    }
  });
});

test('an API key stays refused in browsers, whether it works or not', async () => {
  const key = await (await gala.createWorkspace()).key('live');
  const keys = [key, `${key.slice(0, -1)}x`, 'gala_test_wrong'];
  for (const each of keys) {
    const answer = await new Client(gala.baseUrl, each).get('/v1/leads', from(HERE));
    expect([answer.status, allowed(answer)]).toEqual([each === key ? 200 : 401, undefined]);
    expect(answer.headers.vary).toBe('Origin');
  }
});

test('public routes of the API are not opened to web pages', async () => {
  expect(allowed(await gala.anonymous.get('/v1/calendar.ics?token=unknown', from(HERE)))).toBeUndefined();
});

test('an origin that is taken away from the app is refused', async () => {
  const gone = 'https://gone.example.com';
  const app = await newApp(gala, { allowedOrigins: [gone] });
  const own = await app.install();
  await registered(gone);
  await gala.app.get(ManageApps, { strict: false }).change(app.id, { allowedOrigins: [] });
  expect(allowed(await app.as(own).get('/v1/leads', from(gone)))).toBeUndefined();
  await until(async () => (await preflight('/v1/leads', gone)).status === 401, 'the preflight to be refused');
});

describe('the token endpoint', () => {
  test('answers pages of a public client’s origin, and of no other', async () => {
    const redeem = async (origin: string) => {
      const code = await planner.code(challengeOf(VERIFIER));
      const fields = { grant_type: 'authorization_code', code, redirect_uri: planner.redirectUri };
      const body = { ...fields, client_id: planner.id, code_verifier: VERIFIER };
      return gala.anonymous.post('/oauth/token', body, from(origin));
    };
    const answers = [await redeem(HERE), await redeem(THERE), await redeem('https://evil.test')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(allowed)).toEqual([HERE, undefined, undefined]);

    const revoke = (origin: string) =>
      postForm(gala.anonymous, '/oauth/revoke', { client_id: planner.id, token: 'x' }, { Origin: origin });
    expect([allowed(await revoke(HERE)), allowed(await revoke(THERE))]).toEqual([HERE, undefined]);
  });

  test('lets its refusals be read', async () => {
    const call = (fields: Record<string, string>) =>
      postForm(gala.anonymous, '/oauth/token', fields, { Origin: HERE });
    const refused = [
      await call({ client_id: planner.id, grant_type: 'refresh_token', refresh_token: 'gala_rt_unknown' }),
      await call({ client_id: 'app_unknown', grant_type: 'refresh_token', refresh_token: 'x' }),
      await call({}),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 401, 400]);
    expect(refused.map(allowed)).toEqual([HERE, HERE, HERE]);
  });

  test('never answers pages with a confidential client’s secret', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: otherTokens.refresh_token };
    const secretly = { ...fields, client_id: other.id, client_secret: other.secret! };
    const answers = [
      await postForm(gala.anonymous, '/oauth/token', secretly, { Origin: THERE }),
      await postForm(gala.anonymous, '/oauth/token', fields, {
        ...{ Origin: THERE },
        ...basic(other.id, other.secret),
      }),
      await postForm(
        gala.anonymous,
        '/oauth/introspect',
        { ...secretly, token: otherTokens.access_token },
        { Origin: THERE },
      ),
    ];
    expect(answers.map(allowed)).toEqual([undefined, undefined, undefined]);
  });
});
