import { createServer, type AddressInfo } from 'node:net';
import { expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';

const TOKEN = 'a-token-for-prometheus';

let gala: TestGala;
afterEach(() => gala.stop());

describe('metrics', () => {
  test('are not there unless the operator asks for them', async () => {
    gala = await startGala();
    for (const key of [undefined, '', 'undefined', TOKEN]) {
      expectRefusal(await new Client(gala.baseUrl, key).get('/metrics'), 404, { counted: false });
    }
  });

  test('with a token are shown to its bearer alone', async () => {
    gala = await startGala({ configuration: { metrics: { token: TOKEN } } });
    const apiKey = await (await gala.createWorkspace()).key('live');
    for (const key of [undefined, 'wrong', `${TOKEN}x`, TOKEN.toUpperCase(), apiKey]) {
      expectRefusal(await new Client(gala.baseUrl, key).get('/metrics'), 401, { counted: false });
    }
    expect((await gala.anonymous.get(`/metrics?token=${TOKEN}`)).text).not.toContain('process_cpu');
    const answer = await new Client(gala.baseUrl, TOKEN).get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expectRefusal(await new Client(gala.baseUrl, TOKEN).get('/v1/me'), 401);
  });

  test('count requests by method, route and status, never by what people sent', async () => {
    gala = await startGala({ configuration: { metrics: { token: TOKEN } } });
    const client = await (await gala.createWorkspace()).client();
    const { id } = (await client.post('/v1/leads', { email: 'ana@example.com' })).body;
    for (const path of [`/v1/leads/${id}`, '/v1/leads/secret', '/v1/secret', '/secret?q=secret'])
      await client.get(path);
    const { text } = await new Client(gala.baseUrl, TOKEN).get('/metrics');
    const counted = (method: string, route: string, status: number) =>
      text.includes(`gala_http_requests_total{method="${method}",route="${route}",status="${status}"} 1`);
    expect(counted('POST', '/v1/leads', 201)).toBe(true);
    expect(counted('GET', '/v1/leads/:id', 200)).toBe(true);
    expect(counted('GET', '/v1/leads/:id', 404)).toBe(true);
    expect(counted('GET', '/{*path}', 404)).toBe(true);
    expect(text).toContain('gala_http_request_duration_seconds_bucket{le="0.001",method="GET"');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/secret|example\.com|lead_|gala_live/);
  });

  test('with a port of their own are shown there, and that port closes with the service', async () => {
    const port = await freePort();
    gala = await startGala({ configuration: { metrics: { port } } });
    const own = new Client(`http://127.0.0.1:${port}`);
    const answer = await own.get('/metrics', { headers: { Connection: 'close' } });
    expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/plain/),
    });
    expectRefusal(await gala.anonymous.get('/metrics'), 404, { counted: false });
    await gala.app.close();
    await expect(own.get('/metrics')).rejects.toThrow('ECONNREFUSED');
  });

  test('with a port that is taken keep the service from starting, with the reason', async () => {
    gala = await startGala();
    const port = Number(new URL(gala.baseUrl).port);
    const start = startGala({ databaseUrl: gala.databaseUrl, configuration: { metrics: { port } } });
    await expect(start).rejects.toThrow('METRICS_PORT');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
