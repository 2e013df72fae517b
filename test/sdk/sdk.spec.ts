import { join } from 'node:path';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';
import { SdkProject } from './build-sdk';
import { FlakyProxy } from './flaky-proxy';

jest.setTimeout(120_000);

let gala: TestGala;
let project: SdkProject;
let workspace: TestWorkspace;
let proxy: FlakyProxy;
let sdk: any;
let token: string;
beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  workspace = await gala.createWorkspace();
  token = await workspace.key('test');
  proxy = await new FlakyProxy(gala.baseUrl).start();
  project = new SdkProject((await gala.anonymous.get('/openapi.json')).text);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it has only just been built
  sdk = require(join(project.sdk, 'dist/index.js'));
});
afterAll(async () => {
  proxy.stop();
  project.remove();
  await gala.stop();
});
beforeEach(() => {
  proxy.seen.length = 0;
  proxy.mishaps = [];
});

const client = (options: object = {}) => new sdk.Gala({ baseUrl: proxy.url, token, ...options });
const refused = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('creates, reads, changes and archives', async () => {
  const lead = await client().post('/v1/leads', { body: { email: 'ana@example.com', guests: 120 } });
  const init = { params: { path: { id: lead.id } } };
  expect(await client().get('/v1/leads/{id}', init)).toEqual(lead);
  const changed = await client().patch('/v1/leads/{id}', { ...init, body: { stage: 'visit_booked' } });
  expect(changed).toMatchObject({ id: lead.id, stage: 'visit_booked', guests: 120 });
  const archived = await client().delete('/v1/leads/{id}', init);
  expect(archived.archivedAt).toEqual(expect.any(String));
  expect((await client({ baseUrl: `${proxy.url}/` }).get('/v1/me')).mode).toBe('test');
});

describe('lists', () => {
  test('are walked to their end, page by page, with their filters', async () => {
    for (let number = 0; number < 5; number++) {
      await client().post('/v1/leads', { body: { email: `guest${number}@example.com`, source: 'walk' } });
    }
    await client().post('/v1/leads', { body: { email: 'other@example.com', source: 'elsewhere' } });
    proxy.seen.length = 0;
    const emails: string[] = [];
    const query = { source: 'walk', sort: 'createdAt', limit: 2 };
    for await (const lead of client().list('/v1/leads', { params: { query } })) emails.push(lead.email);
    expect(emails).toEqual([0, 1, 2, 3, 4].map((number) => `guest${number}@example.com`));
    expect(proxy.seen).toHaveLength(3);
  });

  test('are filtered by custom fields, whose parameters are given by their names', async () => {
    const field = { key: 'room', label: 'Room', type: 'text' };
    const { id } = await client().post('/v1/lead-fields', { body: field });
    await client().post('/v1/leads', { body: { email: 'hall@example.com', custom: { room: 'Great hall' } } });
    const query = { custom: { 'custom.room': 'great hall' } };
    const { data } = await client().get('/v1/leads', { params: { query } });
    expect(data.map(({ email }: { email: string }) => email)).toEqual(['hall@example.com']);
    await client().delete('/v1/lead-fields/{id}', { params: { path: { id } } });
  });

  test('are fetched no further than the loop goes', async () => {
    for await (const lead of client().list('/v1/leads', { params: { query: { limit: 2 } } })) {
      if (lead) break;
    }
    expect(proxy.seen).toHaveLength(1);
  });

  test('may be empty', async () => {
    const init = { params: { query: { stage: 'lost' } } };
    for await (const lead of client().list('/v1/leads', init)) throw new Error(JSON.stringify(lead));
  });
});

describe('bulk', () => {
  test('splits items into hundreds, and returns their results in order', async () => {
    const items = Array.from({ length: 250 }, (_, index) => ({
      email: index === 120 ? 'nobody' : `bulk${index}@example.com`,
    }));
    const { results, ...counts } = await client().bulk({ operation: 'create', items });
    expect(counts).toEqual({ created: 249, updated: 0, unchanged: 0, failed: 1 });
    expect(results.map(({ index, lead, error }: any) => [index, lead?.email ?? error.field])).toEqual(
      items.map(({ email }, index) => [index, email === 'nobody' ? 'email' : email]),
    );
    expect(proxy.seen).toHaveLength(3);
  });

  test('splits large items sooner, so that each request fits', async () => {
    const items = Array.from({ length: 90 }, (_, index) => ({
      email: `large${index}@example.com`,
      tags: Array.from({ length: 50 }, (_, tag) => `${tag + 10}`.padEnd(50, '😀')),
    }));
    const { created } = await client().bulk({ operation: 'create', items });
    expect(created).toBe(90);
  });

  test('sends nothing for no items, and takes a lost answer for no lead twice', async () => {
    expect(await client().bulk({ operation: 'create', items: [] })).toMatchObject({
      created: 0,
      results: [],
    });
    expect(proxy.seen).toEqual([]);
  });
});

describe('errors', () => {
  test('have a class for each code, with all that the answer says', async () => {
    const lead = '/v1/leads/{id}';
    const reader = await workspace.key('test', ['leads:read']);
    const unauthorized = await refused(client({ token: 'gala_test_no' }).get('/v1/me'));
    expect(unauthorized).toBeInstanceOf(sdk.UnauthorizedError);
    const forbidden = await refused(
      client({ token: reader }).post('/v1/leads', { body: { email: 'a@b.cz' } }),
    );
    expect(forbidden).toBeInstanceOf(sdk.ForbiddenError);
    const unknown = { params: { path: { id: 'lead_00000000000000000000000000' } } };
    const notFound = await refused(client().get(lead, unknown));
    expect(notFound).toBeInstanceOf(sdk.NotFoundError);
    const invalid = await refused(client().post('/v1/leads', { body: { guests: 0, email: 'no' } }));
    expect(invalid).toBeInstanceOf(sdk.ValidationError);
    expect(invalid).toBeInstanceOf(sdk.GalaError);
    expect(invalid).toMatchObject({
      name: 'ValidationError',
      code: 'validation_error',
      status: 422,
      field: 'email',
      details: [{ field: 'email' }, { field: 'guests' }],
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(invalid.message).toMatch(/^email/);
    expect(proxy.seen).toHaveLength(4);
  });

  test('say how long to wait', async () => {
    const rateLimits = { reads: 1, writes: 1, address: 1000 };
    const strict = await startGala({ configuration: { rateLimits }, databaseUrl: gala.databaseUrl });
    const hurried = client({ baseUrl: strict.baseUrl, token: await workspace.key('test'), maxWaitMs: 0 });
    await hurried.get('/v1/me');
    const limited = await refused(hurried.get('/v1/me'));
    await strict.stop();
    expect(limited).toBeInstanceOf(sdk.RateLimitError);
    expect(limited.retryAfter).toBeGreaterThan(0);
  });

  test('that a proxy made are recognised by their status', async () => {
    proxy.mishaps = [
      { status: 502, body: '<html>Bad gateway</html>', headers: { 'X-Request-Id': 'proxy-1' } },
    ];
    const error = await refused(client({ maxRetries: 0 }).get('/v1/me'));
    expect(error).toBeInstanceOf(sdk.ServerError);
    expect(error).toMatchObject({ status: 502, details: [], requestId: 'proxy-1' });
  });
});

describe('retries', () => {
  test('carry the same idempotency key, and each call one of its own', async () => {
    proxy.mishaps = ['lost', { status: 503 }];
    await client().post('/v1/leads', { body: { email: 'retried@example.com' } });
    await client().post('/v1/leads', { body: { email: 'another@example.com' } });
    const keys = proxy.seen.map(({ key }) => key);
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('keep a key that the caller chose, and give none to what is no POST', async () => {
    const headers = { 'Idempotency-Key': 'enquiry-4711' };
    const lead = await client().post('/v1/leads', { body: { email: 'own@example.com' }, headers });
    await client().patch('/v1/leads/{id}', { params: { path: { id: lead.id } }, body: { guests: 2 } });
    expect(proxy.seen.map(({ key }) => key)).toEqual(['enquiry-4711', undefined]);
  });

  test('come no sooner than the server asks', async () => {
    proxy.mishaps = [{ status: 429, headers: { 'Retry-After': '1' } }];
    const began = Date.now();
    await client().get('/v1/me');
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
    expect(proxy.seen).toHaveLength(2);
  });

  test('end, with the last error', async () => {
    proxy.mishaps = [{ status: 500 }, { status: 500 }];
    expect(await refused(client({ maxRetries: 1 }).get('/v1/me'))).toBeInstanceOf(sdk.ServerError);
    proxy.mishaps = ['lost'];
    const error = await refused(client({ maxRetries: 0 }).get('/v1/me'));
    expect(error).toBeInstanceOf(sdk.ConnectionError);
    expect(error.cause).toBeDefined();
    expect(proxy.seen).toHaveLength(3);
  });

  test('are not made of refusals, nor of redirects, nor when the caller gave up', async () => {
    await refused(client().get('/v1/leads/{id}', { params: { path: { id: 'lead_no' } } }));
    proxy.mishaps = [{ status: 301, headers: { Location: 'https://gala.example.com/v1/me' } }];
    const moved = await refused(client().get('/v1/me'));
    expect(moved).toBeInstanceOf(sdk.ConnectionError);
    expect(moved.message).toContain('https://gala.example.com');
    expect((await refused(client().get('/v1/me', { signal: AbortSignal.abort() }))).name).toBe('AbortError');
    expect(proxy.seen).toHaveLength(2);
  });

  test('ask for the token anew', async () => {
    proxy.mishaps = [{ status: 503 }];
    let asked = 0;
    const renewed = () => Promise.resolve(asked++ === 0 ? 'old' : token);
    await client({ token: renewed }).get('/v1/me');
    expect(proxy.seen.map(({ authorization }) => authorization)).toEqual(['Bearer old', `Bearer ${token}`]);
  });
});

test('verifies what the service delivers, and nothing else', async () => {
  const receiver = await WebhookReceiver.start();
  gala.app.get(BackgroundJobs).start();
  const body = { url: receiver.url, events: ['lead.created'] };
  const { secret } = await client().post('/v1/webhooks', { body });
  const lead = await client().post('/v1/leads', { body: { email: 'zoe@example.com', name: 'Zoë 😀' } });
  const [delivery] = await receiver.got(1);
  const event = sdk.verifyWebhook(secret, delivery!.headers, delivery!.body);
  expect(event).toMatchObject({ type: 'lead.created', data: { id: lead.id, name: 'Zoë 😀' } });
  expect(sdk.verifyWebhook(secret, new Headers(delivery!.headers as any), String(delivery!.body))).toEqual(
    event,
  );
  const forged = Buffer.from(String(delivery!.body).replace('Zoë', 'Eve'));
  expect(() => sdk.verifyWebhook(secret, delivery!.headers, forged)).toThrow(sdk.WebhookVerificationError);
  expect(() => sdk.verifyWebhook(secret, {}, delivery!.body)).toThrow(sdk.WebhookVerificationError);
  await receiver.stop();
});

/** None may get past the compiler. */
const MISTAKES = {
  'an unknown field': `gala.post('/v1/leads', { body: { email: 'a@b.cz', colour: 'red' } });`,
  'no body': `gala.post('/v1/leads');`,
  'no id': `gala.get('/v1/leads/{id}');`,
  'an unknown path': `gala.get('/v1/leeds');`,
  'an unknown filter': `gala.list('/v1/leads', { params: { query: { state: 'lost' } } });`,
  'a list of what is none': `gala.list('/v1/me');`,
  'an item’s unknown field': `(async () => { for await (const lead of gala.list('/v1/leads')) lead.budget; })();`,
  'trust in what may be null': `gala.get('/v1/me').then(({ mode }) => mode.toFixed());`,
};

test('the compiler sees what the service would refuse, and nothing in what it takes', () => {
  const wrap = (call: string) =>
    `import { Gala } from '@gala/sdk';\nconst gala = new Gala({ baseUrl: '', token: '' });\nvoid ${call}\n`;
  const right = `(async () => {
    const lead = await gala.post('/v1/leads', { body: { email: 'a@b.cz', guests: null } });
    for await (const { name } of gala.list('/v1/leads', { params: { query: { stage: 'lost' } } })) name?.length;
    const { data } = await gala.get('/v1/webhooks/{id}/deliveries', { params: { path: { id: lead.id } } });
    return data[0]?.status;
  })();`;
  const mistakes = Object.entries(MISTAKES).map(([name, call], index) => ({
    name,
    file: `${index}.mts`,
    call,
  }));
  const programs = Object.fromEntries(mistakes.map(({ file, call }) => [file, wrap(call)]));
  const complaints = project.compile({ ...programs, 'right.mts': wrap(right) });
  expect(complaints['right.mts']).toBe('');
  expect(mistakes.filter(({ file }) => !complaints[file]).map(({ name }) => name)).toEqual([]);
  expect(Object.values(complaints).join()).not.toContain('Cannot find module');
});
