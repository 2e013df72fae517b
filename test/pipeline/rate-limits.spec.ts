import { LeadRepository } from '../../src/modules/leads/application/lead-repository';
import { idOf, makeKey, rotateKey } from '../support/api-keys';
import { expectRateHeaders, expectRefusal, rateOf } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const READS = 12;
const WRITES = 6;

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({
    configuration: { rateLimits: { reads: READS, writes: WRITES, address: 100_000 } },
  });
  workspace = await gala.createWorkspace();
});
beforeEach(async () => {
  client = await workspace.client();
});
afterAll(() => gala.stop());

const lead = { email: 'ana@example.com' };
const leadCount = async (one: Client) => (await one.get('/v1/leads')).body.pagination.total as number;

describe('the rate headers', () => {
  test('count down by exactly one a request, to zero, and then it is 429', async () => {
    const remaining: number[] = [];
    const resets: number[] = [];
    for (let count = 0; count < READS; count++) {
      const answer = await client.get('/v1/me');
      expect(answer.status).toBe(200);
      expect(rateOf(answer).limit).toBe(READS);
      remaining.push(rateOf(answer).remaining);
      resets.push(rateOf(answer).reset);
    }
    expect(remaining).toEqual(Array.from({ length: READS }, (_, index) => READS - 1 - index));
    expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1);

    const refused = await client.get('/v1/me');
    expectRefusal(refused, 429);
    expect(rateOf(refused)).toMatchObject({ limit: READS, remaining: 0 });
    const retryAt = Date.now() / 1000 + Number(refused.headers['retry-after']);
    expect(Math.abs(retryAt - rateOf(refused).reset)).toBeLessThanOrEqual(1);
  });

  test('name the end of a window of 60 seconds, in Unix seconds', async () => {
    const before = Date.now() / 1000;
    const { reset } = rateOf(await client.get('/v1/me'));
    expect(reset).toBeGreaterThanOrEqual(Math.floor(before) + 60);
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 61);
  });

  test('show the bucket that the request counted against: reads and writes go apart', async () => {
    expect(rateOf(await client.get('/v1/me'))).toMatchObject({ limit: READS, remaining: READS - 1 });
    expect(rateOf(await client.post('/v1/leads', lead))).toMatchObject({
      limit: WRITES,
      remaining: WRITES - 1,
    });
    expect(rateOf(await client.request('HEAD', '/v1/me'))).toMatchObject({
      limit: READS,
      remaining: READS - 2,
    });
    expect(rateOf(await client.patch('/v1/nope', {}))).toMatchObject({
      limit: WRITES,
      remaining: WRITES - 2,
    });
    expect(rateOf(await client.delete('/v1/nope'))).toMatchObject({ remaining: WRITES - 3 });
    expect(rateOf(await client.request('OPTIONS', '/v1/me'))).toMatchObject({ remaining: WRITES - 4 });
    expect(rateOf(await client.get('/v1/me'))).toMatchObject({ remaining: READS - 3 });
  });

  test('are on refusals of every kind, each of which counts', async () => {
    const scopeless = await workspace.client('live', []);
    expect(rateOf(await scopeless.get('/v1/leads'))).toMatchObject({ remaining: READS - 1 });
    expect(rateOf(await scopeless.get('/v1/leads/nope'))).toMatchObject({ remaining: READS - 2 });
    expect(rateOf(await scopeless.post('/v1/api-keys', '{'))).toMatchObject({ remaining: WRITES - 1 });
    expect(rateOf(await scopeless.post('/v1/api-keys', {}))).toMatchObject({ remaining: WRITES - 2 });
    expect(rateOf(await scopeless.get('/v1/%FF'))).toMatchObject({ remaining: READS - 3 });
  });

  test('are on a 500', async () => {
    const spy = jest
      .spyOn(gala.app.get(LeadRepository, { strict: false }), 'add')
      .mockRejectedValue(new TypeError('a bug'));
    const answer = await client.post('/v1/leads', lead).finally(() => spy.mockRestore());
    expectRefusal(answer, 500);
    expect(rateOf(answer)).toMatchObject({ limit: WRITES, remaining: WRITES - 1 });
  });
});

describe('each credential has its own share', () => {
  test('of one workspace, of the other mode and of another workspace', async () => {
    for (let count = 0; count <= READS; count++) await client.get('/v1/me');
    expectRefusal(await client.get('/v1/me'), 429);
    for (const other of [
      await workspace.client('live'),
      await workspace.client('test'),
      await (await gala.createWorkspace()).client(),
    ]) {
      expect(rateOf(await other.get('/v1/me'))).toMatchObject({ remaining: READS - 1 });
    }
    expect((await client.post('/v1/leads', lead)).status).toBe(201);
  });

  test('which rotations hand on, and children of a key have for themselves', async () => {
    const id = await idOf(client);
    const child = await makeKey(client);
    const second = await rotateKey(client, id, 600);
    const third = await rotateKey(second.client, second.view.id, 600);
    const left = async (one: Client) => rateOf(await one.get('/v1/me')).remaining;
    const lefts = [await left(client), await left(second.client), await left(third.client)];
    expect(lefts).toEqual([READS - 2, READS - 3, READS - 4]);
    expect(rateOf(await third.client.post('/v1/leads', {})).remaining).toBe(WRITES - 4);
    expect(await left(child.client)).toBe(READS - 1);
    const ofChild = await rotateKey(child.client, child.view.id, 600);
    expect(await left(ofChild.client)).toBe(READS - 2);
  });

  test('which no header can stretch', async () => {
    for (let count = 0; count < READS; count++) await client.get('/v1/me');
    for (let count = 0; count < 5; count++) {
      const headers = {
        'X-Forwarded-For': `10.0.0.${count}`,
        Forwarded: `for=10.0.0.${count}`,
        'X-Real-IP': `10.0.0.${count}`,
        'X-HTTP-Method-Override': 'POST',
        'X-Request-Id': `attempt-${count}`,
      };
      expectRefusal(await client.get('/v1/me', { headers }), 429);
    }
  });
});

describe('over the limit', () => {
  test('it is 429 before 403, 400, 422 and 404, and nothing is done', async () => {
    const scopeless = await workspace.client('live', ['leads:read']);
    for (let count = 0; count < WRITES; count++) await scopeless.delete('/v1/nope');
    for (let count = 0; count < WRITES; count++) await client.delete('/v1/nope');
    const before = await leadCount(client);
    expectRefusal(await scopeless.post('/v1/leads', lead), 429);
    for (const body of [lead, {}, '{', 'x'.repeat(300_000)]) {
      expectRefusal(await client.post('/v1/leads', body), 429);
    }
    expectRefusal(await client.delete('/v1/leads/nope'), 429);
    expectRefusal(await client.post('/v1/leads?nonsense=1', lead), 429);
    expect(await leadCount(client)).toBe(before);
  });

  test('HEAD is 429 without a body', async () => {
    for (let count = 0; count < READS; count++) await client.get('/v1/me');
    const answer = await client.request('HEAD', '/v1/me');
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 429, text: '' });
    expectRateHeaders(answer);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('under concurrency', () => {
  test('exactly the limit gets through of 400 writes at once, and each that did was done', async () => {
    const large = await startGala({
      databaseUrl: gala.databaseUrl,
      configuration: { rateLimits: { reads: 1000, writes: 200, address: 100_000 } },
    });
    try {
      const busy = await (await large.createWorkspace()).client();
      const answers = await Promise.all(Array.from({ length: 400 }, () => busy.post('/v1/leads', lead)));
      const created = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 429);
      expect([created.length, refused.length]).toEqual([200, 200]);
      expect(created.map((answer) => rateOf(answer).remaining).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 200 }, (_, index) => index),
      );
      for (const answer of refused) expectRefusal(answer, 429);
      expect(await leadCount(busy)).toBe(200);
    } finally {
      await large.stop();
    }
  });
});

describe('when the window is over', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('the share is whole again', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime'],
    });
    for (let count = 0; count < READS; count++) await client.get('/v1/me');
    const refused = await client.get('/v1/me');
    expectRefusal(refused, 429);

    await jest.advanceTimersByTimeAsync(Number(refused.headers['retry-after']) * 1000 - 2000);
    expectRefusal(await client.get('/v1/me'), 429);
    await jest.advanceTimersByTimeAsync(3000);
    const answer = await client.get('/v1/me');
    expect({ status: answer.status, ...rateOf(answer) }).toMatchObject({ status: 200, remaining: READS - 1 });
  });
});
