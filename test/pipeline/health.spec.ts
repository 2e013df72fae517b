import type { AddressInfo } from 'node:net';
import { createDataSource } from '../../ormconfig';
import { createApp } from '../../src/create-app';
import { Configuration } from '../../src/platform/config/configuration';
import { ServiceState } from '../../src/platform/health/service-state';
import { Logger } from '../../src/platform/logging/logger';
import { createDatabase } from '../support/database';
import { expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { TcpProxy } from '../support/tcp-proxy';
import { eventually } from '../support/until';

let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await TcpProxy.to(database.url);
  gala = await startGala({ databaseUrl: proxy.url });
  client = await (await gala.createWorkspace()).client();
});
afterAll(async () => {
  await gala.stop();
  await proxy.cut();
  await database.drop();
});

const ready = async (baseUrl = gala.baseUrl) => {
  const { status, body } = await new Client(baseUrl).get('/health/ready');
  return { status, body };
};

describe('while the database is there', () => {
  test('the service is alive and ready, for anyone, and no cache may keep that', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await gala.anonymous.get(path);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: 'ok' } });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('health is not counted against anyone', async () => {
    expect((await gala.anonymous.get('/health/live')).headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

describe('while the database is away', () => {
  beforeAll(() => proxy.cut());
  afterAll(async () => {
    await proxy.open();
  });

  test('the service is alive but not ready', async () => {
    expect((await gala.anonymous.get('/health/live')).status).toBe(200);
    expect(await ready()).toEqual({ status: 503, body: { status: 'database unavailable' } });
  });

  test('requests with a key are 500 in the envelope, in bounded time', async () => {
    const startedAt = Date.now();
    const answers = await Promise.all([
      client.get('/v1/me'),
      client.get('/v1/leads'),
      client.post('/v1/leads', { email: 'ana@example.com' }),
      client.get('/v1/nope'),
    ]);
    for (const answer of answers) expectRefusal(answer, 500);
    expect(Date.now() - startedAt).toBeLessThan(8000);
  });

  test('requests that need no database are answered as ever', async () => {
    expectRefusal(await gala.anonymous.get('/v1/me'), 401);
    expectRefusal(await new Client(gala.baseUrl, 'gala_live_wrong').get('/v1/me'), 401);
    expectRefusal(await gala.anonymous.get('/nope'), 404, { counted: false });
  });
});

describe('when the database comes back', () => {
  test('everything works again, without a restart', async () => {
    await eventually(async () => expect((await ready()).status).toBe(200));
    expect((await client.post('/v1/leads', { email: 'ana@example.com' })).status).toBe(201);
  });

  test('so it does after every connection was broken under load', async () => {
    const load = Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 5));
        return client.post('/v1/leads', { email: `load-${index}@example.com` });
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await proxy.cut();
    await proxy.open();
    const answers = await load;
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefusal(answer, 500);
    await eventually(async () => expect((await client.get('/v1/me')).status).toBe(200));
    for (const { body } of answers.filter(({ status }) => status === 201)) {
      expect((await client.get(`/v1/leads?email=${body.email}`)).body.pagination.total).toBe(1);
    }
  });
});

describe('when the database takes requests and says nothing', () => {
  test('they are 500 in bounded time, and readiness says so sooner', async () => {
    const dataSource = await createDataSource({ url: proxy.url, statementTimeoutMs: 1000 }).initialize();
    const app = await createApp({
      configuration: gala.app.get(Configuration),
      dataSource,
      logger: gala.app.get(Logger),
    });
    const server = app.getHttpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const caller = new Client(baseUrl, client.key);
    expect((await caller.get('/v1/me')).status).toBe(200);
    proxy.swallow();
    try {
      // The first takes the connection that is there already, the others try to make new ones.
      const patience = new Promise((resolve) => setTimeout(resolve, 12_000, 'no answer in 12 s').unref());
      const asked = [caller.get('/v1/me'), caller.get('/v1/leads'), caller.get('/v1/webhooks')];
      const startedAt = Date.now();
      expect((await ready(baseUrl)).status).toBe(503);
      expect(Date.now() - startedAt).toBeLessThan(4000);
      for (const answer of asked)
        expect(await Promise.race([answer, patience])).toMatchObject({ status: 500 });
    } finally {
      await proxy.cut();
      await proxy.open();
      await eventually(async () => expect((await caller.get('/v1/me')).status).toBe(200));
      server.closeAllConnections();
      await app.close();
      await dataSource.destroy();
    }
  }, 40_000);
});

describe('a service that is stopping', () => {
  test('says that it isn’t ready, so that nobody sends it more', async () => {
    const state = gala.app.get(ServiceState);
    state.isStopping = true;
    expect(await ready()).toEqual({ status: 503, body: { status: 'stopping' } });
    state.isStopping = false;
    expect((await ready()).status).toBe(200);
  });
});
