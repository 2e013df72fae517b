import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { operationsOf } from '../openapi/schema-validator';
import { startGala, type TestGala } from '../support/start-gala';
import { draft, sent } from './support';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client('test');
});
afterAll(() => gala.stop());

/** Every kind of object that is archived: how one is made, what a change of it is, and what is allowed all the same. */
const KINDS = {
  '/v1/leads/{id}': {
    create: () => createLead(client, { phone: '+34600123456' }),
    bodies: {
      patch: { name: 'Ana' },
      '/visits': { startsAt: '2027-02-03T10:00:00Z' },
      '/activities': { type: 'note', text: 'Likes the garden.' },
    },
    // Whoever doesn't want to be written to may say so at any time.
    allowed: ['/opt-out', '/opt-in'],
  },
  '/v1/proposals/{id}': {
    create: () => sent(client),
    bodies: { patch: { title: 'Dinner' } },
    // Archiving has taken it back already.
    allowed: ['/withdraw'],
  },
  '/v1/spaces/{id}': {
    create: async () => (await client.post('/v1/spaces', { name: 'Garden' })).body,
    bodies: { patch: { name: 'Hall' } },
    allowed: [],
  },
};

test.each(Object.entries(KINDS))(
  'an archived %s takes no action but being read, archived and restored',
  async (template, { create, bodies, allowed }) => {
    const document = (await gala.anonymous.get('/openapi.json')).body;
    const object = (await create()) as { id: string };
    const path = template.replace('{id}', object.id);
    await client.delete(path);
    const before = (await client.get(path)).body;
    const actions = operationsOf(document)
      .filter(
        ({ path: each, method }) => each.startsWith(template) && (method === 'patch' || method === 'post'),
      )
      .map(({ path: each, method }) => ({ method, end: each.slice(template.length) }))
      // What was logged before has specs of its own.
      .filter(({ end }) => end !== '/restore' && end !== '/activities/{activity}');
    expect(actions.length).toBeGreaterThan(0);
    for (const { method, end } of actions) {
      const body = (bodies as Record<string, object | undefined>)[end || method];
      const answer = await client.request(method.toUpperCase(), path + end, body);
      if ((allowed as string[]).includes(end)) expect(answer.status).toBe(200);
      else expectInvalid(answer, 'archivedAt');
    }
    expect((await client.get(path)).body).toEqual(before);
  },
);

test('an archived draft is neither revised nor given a link, and its link stays what it was', async () => {
  const offer = await draft(client);
  await client.delete(`/v1/proposals/${offer.id}`);
  for (const action of ['revise', 'rotate-link', 'send']) {
    expectInvalid(await client.post(`/v1/proposals/${offer.id}/${action}`), 'archivedAt');
  }
});
