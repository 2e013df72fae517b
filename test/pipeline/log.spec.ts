import { LeadRepository } from '../../src/modules/leads/application/lead-repository';
import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

interface RequestLine {
  message: string;
  requestId: string;
  [field: string]: unknown;
}

/** The lines of one request; it waits for them, since they are written when the answer is out. */
async function linesOf(requestId: string): Promise<RequestLine[]> {
  const find = () =>
    gala.logged.map((line) => JSON.parse(line) as RequestLine).filter((line) => line.requestId === requestId);
  await until(() => find().length > 0, `a line about the request ${requestId}`);
  return find();
}

describe('the log', () => {
  test('has one line for each request, with who called what and how it ended', async () => {
    const workspace = await gala.createWorkspace();
    const client = await workspace.client('test');
    const me = (await client.get('/v1/me')).body;
    const { id } = (await client.post('/v1/leads', { email: 'ana@example.com' })).body;
    const cases: [Client, string, string, unknown, number, string][] = [
      [client, 'GET', '/v1/leads?stage=lost', undefined, 200, '/v1/leads'],
      [client, 'POST', '/v1/leads', { email: 'ana@example.com' }, 201, '/v1/leads'],
      [client, 'POST', '/v1/leads', '{', 400, '/v1/leads'],
      [client, 'POST', '/v1/leads', {}, 422, '/v1/leads'],
      [client, 'HEAD', `/v1/leads/${id}`, undefined, 200, '/v1/leads/:id'],
      [client, 'GET', '/v1/leads/lead_nope', undefined, 404, '/v1/leads/:id'],
      [client, 'GET', '/v1/leads/%FF', undefined, 404, '/v1/leads/:id'],
      [gala.anonymous, 'GET', '/v1/leads', undefined, 401, '/v1/leads'],
      [gala.anonymous, 'GET', '/elsewhere', undefined, 404, '/{*path}'],
      [gala.anonymous, 'GET', '/health/live', undefined, 200, '/health/live'],
    ];
    for (const [index, [caller, method, path, body, status, route]] of cases.entries()) {
      const requestId = `line-${index}`;
      await caller.request(method, path, body, { headers: { 'X-Request-Id': requestId } });
      expect(await linesOf(requestId)).toEqual([
        {
          message: 'request',
          requestId,
          method,
          route,
          status,
          ms: expect.any(Number),
          ...(caller === client && {
            workspace: workspace.id,
            mode: 'test',
            credential: me.credential.id,
          }),
        },
      ]);
    }
  });

  test('holds no key, no address, no text of a body, a query or a header, whatever went wrong', async () => {
    const workspace = await gala.createWorkspace();
    const key = await workspace.key('live');
    const client = new Client(gala.baseUrl, key);
    const secret = 'Zanzibar';
    const headers = { 'X-Note': secret, 'User-Agent': secret, Referer: secret, Cookie: secret };
    const lead = {
      email: `${secret}@example.com`,
      name: secret,
      source: secret,
      tags: [secret],
      phone: '+34600123999',
    };
    const { id } = (await client.post('/v1/leads', lead, { headers })).body;
    await client.patch(`/v1/leads/${id}`, { name: `${secret} 2` });
    await client.get(`/v1/leads?q=${secret}&email=${secret}@example.com`);
    await client.get(`/v1/leads/${secret}?${secret}=${secret}`);
    await client.get(`/v1/${secret}`);
    await client.post('/v1/leads', `{"email":"${secret}`);
    await client.post('/v1/leads', { [secret]: secret, email: `a\0${secret}` });
    await client.post('/v1/api-keys', { name: secret, scopes: [secret] });
    const made = (await client.post('/v1/api-keys', { name: secret })).body;
    await new Client(gala.baseUrl, `${key.slice(0, -1)}-`).get('/v1/me');
    await gala.anonymous.get(`/v1/me?access_token=${key}`);
    await gala.anonymous.get(`/${secret}`, { headers: { 'X-Request-Id': `${secret}!` } });
    const last = await client.get('/v1/me', { headers: { 'X-Request-Id': 'the-last' } });
    expect(last.status).toBe(200);
    await linesOf('the-last');

    const log = gala.logged.join('\n');
    for (const hidden of [
      secret,
      secret.toLowerCase(),
      key,
      key.slice(-12),
      made.key,
      '34600123999',
      '@example.com',
    ]) {
      expect(log.includes(hidden) ? `The log has ${hidden}` : 'hidden').toBe('hidden');
    }
    expect(log).not.toMatch(/gala_(live|test)_/);
  });

  test('tells of an unexpected error once, with its place, under the id that the caller saw', async () => {
    const client = await (await gala.createWorkspace()).client();
    const repository = gala.app.get(LeadRepository, { strict: false });
    const spy = jest.spyOn(repository, 'add').mockRejectedValue(new Error('out of order'));
    try {
      const answer = await client.post('/v1/leads', { email: 'hidden@example.com' });
      expect({ status: answer.status, text: answer.text.includes('out of order') }).toEqual({
        status: 500,
        text: false,
      });
      const lines = await linesOf(answer.body.error.requestId);
      expect(lines.map(({ message }) => message).sort()).toEqual(['request', 'request failed']);
      const failure = lines.find(({ message }) => message === 'request failed')!;
      expect(failure.stack).toMatch(/^ +at /);
      expect(JSON.stringify(failure)).not.toContain('hidden@example.com');
    } finally {
      spy.mockRestore();
    }
  });
});
