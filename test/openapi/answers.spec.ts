import { CalendarFeeds } from '../../src/modules/calendar';
import type { Answer, Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { type Document, resolve, SchemaValidator } from './schema-validator';

let gala: TestGala;
let client: Client;
let document: Document;
let validator: SchemaValidator;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client('test');
  document = (await gala.anonymous.get('/openapi.json')).body;
  validator = new SchemaValidator(document, { closed: true });
});
afterAll(() => gala.stop());

/** The answer has a status that the operation lists, the body that it promises there and the headers. */
function expectAsDocumented(answer: Answer, method: string, path: string): void {
  const response = resolve(document, document.paths[path][method].responses[answer.status]);
  expect(response).toBeDefined();
  expect(validator.problems(response.content['application/json'].schema, answer.body)).toEqual([]);
  expectPromisedHeaders(answer, response);
}

function expectPromisedHeaders({ headers }: Answer, response: any): void {
  const required = Object.keys(response.headers).filter(
    (name) => resolve(document, response.headers[name]).required,
  );
  expect(required).toContain('X-Request-Id');
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(required.map((name) => name.toLowerCase())));
}

const full = {
  name: 'Ana Pérez',
  email: 'ana@example.com',
  phone: '+34 600 123 456',
  eventDate: '2027-06-12',
  guests: 120,
  source: 'website',
  tags: ['vip'],
};

describe('what the service really answers is what the document says', () => {
  test('on leads, with every field and with the fewest', async () => {
    for (const lead of [full, { email: 'ben@example.com' }]) {
      const created = await client.post('/v1/leads', lead);
      expect(created.status).toBe(201);
      expectAsDocumented(created, 'post', '/v1/leads');
      const path = `/v1/leads/${created.body.id}`;
      const one = '/v1/leads/{id}';
      expectAsDocumented(await client.get(path), 'get', one);
      expectAsDocumented(await client.patch(path, { stage: 'visit_booked' }), 'patch', one);
      expectAsDocumented(await client.delete(path), 'delete', one);
      expectAsDocumented(await client.post(`${path}/restore`), 'post', `${one}/restore`);
    }
    const list = await client.get('/v1/leads?limit=1');
    expect(list.body.pagination.nextCursor).toEqual(expect.any(String));
    expectAsDocumented(list, 'get', '/v1/leads');
    expectAsDocumented(await client.get('/v1/leads?stage=lost'), 'get', '/v1/leads');
  });

  test('on API keys and on who is calling', async () => {
    const created = await client.post('/v1/api-keys', { name: 'Website', scopes: ['leads:read'] });
    expect(created.status).toBe(201);
    expectAsDocumented(created, 'post', '/v1/api-keys');
    const path = `/v1/api-keys/${created.body.id}`;
    const one = '/v1/api-keys/{id}';
    expectAsDocumented(await client.get(path), 'get', one);
    expectAsDocumented(await client.post(`${path}/rotate`), 'post', `${one}/rotate`);
    expectAsDocumented(await client.delete(path), 'delete', one);
    expectAsDocumented(await client.get('/v1/api-keys'), 'get', '/v1/api-keys');
    expectAsDocumented(await client.get('/v1/me'), 'get', '/v1/me');
  });

  test('on errors', async () => {
    const reader = await (await gala.createWorkspace()).client('test', ['leads:read']);
    const answers: [status: number, answer: Answer, method: string, path: string][] = [
      [400, await client.post('/v1/leads', '{'), 'post', '/v1/leads'],
      [401, await gala.anonymous.get('/v1/leads'), 'get', '/v1/leads'],
      [403, await reader.post('/v1/leads', full), 'post', '/v1/leads'],
      [404, await client.get('/v1/leads/lead_00000000000000000000000000'), 'get', '/v1/leads/{id}'],
      [422, await client.post('/v1/leads', { guests: 0 }), 'post', '/v1/leads'],
      [422, await client.get('/v1/me?colour=red'), 'get', '/v1/me'],
    ];
    for (const [status, answer, method, path] of answers) {
      expect(answer.status).toBe(status);
      expectAsDocumented(answer, method, path);
    }
  });

  test('to apps, in either of their ways, and to calendar programs', async () => {
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const stranger =
        'grant_type=refresh_token&refresh_token=a&token=a&client_id=app_unknown&client_secret=b';
      const answers = [
        await gala.anonymous.post(path, stranger, form),
        await gala.anonymous.post(path, Object.fromEntries(new URLSearchParams(stranger))),
        await gala.anonymous.post(path, 'client_id=', form),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 400]);
      for (const answer of answers) expectAsDocumented(answer, 'post', path);
    }
    const feed = await gala.anonymous.get('/v1/calendar.ics?token=unknown');
    expect(feed.status).toBe(404);
    expectAsDocumented(feed, 'get', '/v1/calendar.ics');
  });

  test('a calendar feed has the ETag that is promised, and is a 304 by it', async () => {
    const workspace = await gala.createWorkspace();
    const feeds = gala.app.get(CalendarFeeds, { strict: false });
    const token = await feeds.create({ workspaceId: workspace.id, mode: 'live' }, await ownerOf(gala));
    const path = `/v1/calendar.ics?token=${token}`;
    const first = await gala.anonymous.get(path);
    const again = await gala.anonymous.get(path, { headers: { 'If-None-Match': first.headers.etag! } });
    expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
    const { responses, parameters } = document.paths['/v1/calendar.ics'].get;
    for (const answer of [first, again]) expectPromisedHeaders(answer, responses[answer.status]);
    expect(parameters.map(({ name }: { name: string }) => name)).toContain('If-None-Match');
  });

  test('after a webhook test, which has no Location', async () => {
    const { body } = await client.post('/v1/webhooks', { url: 'https://example.com/', events: ['*'] });
    const tested = await client.post(`/v1/webhooks/${body.id}/test`);
    expect([tested.status, tested.headers.location]).toEqual([201, undefined]);
    expectAsDocumented(tested, 'post', '/v1/webhooks/{id}/test');
    expect(Object.keys(document.paths['/v1/webhooks'].post.responses['201'].headers)).toContain('Location');
  });

  test('on too many requests', async () => {
    const limits = { reads: 1, writes: 1, address: 1000 };
    const strict = await startGala({ configuration: { rateLimits: limits }, databaseUrl: gala.databaseUrl });
    const hurried = await (await strict.createWorkspace()).client('test');
    await hurried.get('/v1/leads');
    const answer = await hurried.get('/v1/leads');
    await strict.stop();
    expect(answer.status).toBe(429);
    expectAsDocumented(answer, 'get', '/v1/leads');
  });
});
