import { holdFields } from '../holds/support';
import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { newId } from '../../src/kernel/ids';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;

beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  client = await (await gala.createWorkspace()).client('test');
});
afterAll(() => gala.stop());

const SHOW_NO_REVISION = ['leads', 'lead-fields', 'lost-reasons', 'stages'];
const SHOW_NO_TIME = ['webhooks', 'stages'];

const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });

/** The name of the last lost reason: no other has the same. */
let reason: string;

/** Every kind of object that can be changed: how one is made, and a change of it that makes a difference each time. */
const kinds = {
  leads: { create: () => ({ email: 'ana@example.com' }), change: (count: number) => ({ guests: count + 1 }) },
  proposals: {
    create: async () => ({ leadId: (await createLead(client)).id, title: 'Wedding' }),
    change: (count: number) => ({ title: `Wedding ${count}` }),
  },
  'calendar-events': {
    create: () => ({
      type: 'visit',
      title: 'Visit',
      startsAt: '2027-06-05T14:00:00Z',
      endsAt: '2027-06-05T15:00:00Z',
    }),
    change: (count: number) => ({ title: `Visit ${count}` }),
  },
  holds: {
    create: () => holdFields(client),
    change: (count: number) => ({ title: `Wedding ${count}` }),
  },
  spaces: {
    create: () => ({ name: `Garden ${Math.random()}` }),
    change: (count: number) => ({ capacity: count + 1 }),
  },
  stages: {
    create: () => ({ key: `stage_${newId('evt').slice(-8)}`, name: 'Tasting' }),
    change: (count: number) => ({ name: `Tasting ${count}` }),
  },
  'lost-reasons': {
    create: () => ({ name: (reason = `Reason ${Math.random()}`) }),
    change: (count: number) => ({ name: `${reason}, ${count}` }),
  },
  'lead-fields': {
    create: () => ({ key: `field_${newId('evt').slice(-8)}`, label: 'Room', type: 'text' }),
    change: (count: number) => ({ label: `Room ${count}` }),
  },
  tasks: {
    create: () => ({ title: 'Send the menu' }),
    change: (count: number) => ({ title: `Send menu ${count}` }),
  },
  imports: {
    create: () => ({ matchBy: 'none' }),
    change: (count: number) => ({ defaults: { guests: count + 1 } }),
  },
  webhooks: {
    create: () => ({ url: 'http://127.0.0.1:9/hook', events: ['lead.*'] }),
    change: (count: number) => ({ description: `Changed ${count}` }),
  },
};

const pathOf = (name: string, body: { id: string; key: string }) =>
  `/v1/${name}/${name === 'stages' ? body.key : body.id}`;
/** Stages, holds and imports end by an action of their own. */
const archive = (path: string, options: ReturnType<typeof ifMatch>) => {
  const action = { stages: 'archive', holds: 'release', imports: 'cancel' }[path.split('/')[2]!];
  return action ? client.post(`${path}/${action}`, undefined, options) : client.delete(path, options);
};

describe.each(Object.entries(kinds))('/v1/%s', (name, { create, change }) => {
  let path: string;
  beforeEach(async () => {
    const { body } = await client.post(`/v1/${name}`, await create());
    path = pathOf(name, body);
  });

  test('an answer’s ETag is what the next change goes by, and stays while nothing changes', async () => {
    const { headers } = await client.get(path);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    expect((await client.get(path)).headers.etag).toBe(headers.etag);
    const changed = await client.patch(path, change(1), ifMatch(headers.etag!));
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(headers.etag);
    expect((await client.get(path)).headers.etag).toBe(changed.headers.etag);
    const same = await client.patch(path, change(1), ifMatch(changed.headers.etag!));
    expect(same.headers.etag).toBe(changed.headers.etag);
    expect((await client.get(path)).headers.etag).toBe(changed.headers.etag);
    const again = await client.patch(path, change(2), ifMatch(changed.headers.etag!));
    expect(again.status).toBe(200);
  });

  test('a stale one changes nothing, by PATCH or DELETE, and says so', async () => {
    const { headers } = await client.get(path);
    const { body } = await client.patch(path, change(1));
    const refused = [
      await client.patch(path, change(2), ifMatch(headers.etag!)),
      await archive(path, ifMatch(headers.etag!)),
    ];
    for (const answer of refused) expectRefusal(answer, 422, { field: 'If-Match' });
    expect((await client.get(path)).body).toEqual(body);
  });

  test('of ten who saw the same state one changes it', async () => {
    const { headers } = await client.get(path);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, count) => client.patch(path, change(count), ifMatch(headers.etag!))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(422)]);
  });

  test('* and a list that holds the current one are let through', async () => {
    const { headers } = await client.get(path);
    const list = `, "other", W/"weak" ,,${headers.etag}, `;
    expect((await client.patch(path, change(1), ifMatch(list))).status).toBe(200);
    expect((await archive(path, ifMatch('*'))).status).toBe(200);
  });

  test('a tag that a compressing proxy has changed is still ours, current or stale', async () => {
    const changed = (tag: string) => [
      `W/${tag}`,
      ...['-gzip', '--gzip', '-br', '-zstd', '-deflate'].map((suffix) => tag.replace(/"$/, `${suffix}"`)),
      `W/${tag.replace(/"$/, '-gzip"')}`,
    ];
    const { headers: first } = await client.get(path);
    for (const [index, tag] of changed(first.etag!).entries()) {
      const { headers } = await client.get(path);
      const current = changed(headers.etag!)[index]!;
      expect({ tag, status: (await client.patch(path, change(index), ifMatch(current))).status }).toEqual({
        tag,
        status: 200,
      });
      expectRefusal(await client.patch(path, change(index + 10), ifMatch(tag)), 422, { field: 'If-Match' });
    }
  });

  test.each(['-GZIP', '-gzip-gzip', '-gzi', 'gzip', '-x'])(
    'a tag with %s added is not ours',
    async (suffix) => {
      const { headers } = await client.get(path);
      const tag = headers.etag!.replace(/"$/, `${suffix}"`);
      expectRefusal(await client.patch(path, change(1), ifMatch(tag)), 422, { field: 'If-Match' });
    },
  );

  test('an unknown object is a 404 all the same', async () => {
    const unknown = path.replace(/[^_]{4}$/, '0000');
    expectRefusal(await client.patch(unknown, change(1), ifMatch('"tag"')), 404);
  });
});

test('an object that changed has a new tag and a later time, whatever the clocks of two instances say', async () => {
  const clocks = [new FakeClock(), new FakeClock()];
  const instances: TestGala[] = [];
  for (const clock of clocks) {
    instances.push(
      await startGala({
        databaseUrl: gala.databaseUrl,
        configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
        overrides: [{ provide: Clock, useValue: clock }],
      }),
    );
  }
  const { key } = client;
  let changes = 0;
  const clients = instances.map(({ baseUrl }) => new Client(baseUrl, key));
  for (const [name, { create, change }] of Object.entries(kinds)) {
    const { body, headers } = await clients[0]!.post(`/v1/${name}`, await create());
    const path = pathOf(name, body);
    let last = { body, tag: headers.etag ?? (await clients[0]!.get(path)).headers.etag! };
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1 }), fc.integer({ min: -50, max: 50 }), async (who, ms) => {
        clocks[who]!.advance(ms / 1000);
        const changed = await clients[who]!.patch(path, change(++changes), ifMatch(last.tag));
        expect({ name, status: changed.status }).toEqual({ name, status: 200 });
        expectRefusal(await clients[1 - who]!.patch(path, change(++changes), ifMatch(last.tag)), 422, {
          field: 'If-Match',
        });
        if (!SHOW_NO_REVISION.includes(name))
          expect(changed.body.revision).toBe((last.body.revision as number) + 1);
        if (!SHOW_NO_TIME.includes(name)) expect(changed.body.updatedAt > last.body.updatedAt).toBe(true);
        if (name === 'leads') {
          const since = await clients[1 - who]!.get(`/v1/leads?updatedAfter=${last.body.updatedAt}`);
          expect(since.body.data).toContainEqual(changed.body);
        }
        last = { body: changed.body, tag: changed.headers.etag! };
      }),
      { numRuns: 10 },
    );
  }
  for (const instance of instances) await instance.stop();
});

test('of two people who rotate a webhook’s secret at once, or one after the other, one does', async () => {
  const { body } = await client.post('/v1/webhooks', kinds.webhooks.create());
  const { headers } = await client.get(`/v1/webhooks/${body.id}`);
  const rotate = () =>
    client.post(`/v1/webhooks/${body.id}/rotate-secret`, undefined, ifMatch(headers.etag!));
  const both = await Promise.all([rotate(), rotate()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expectRefusal(await rotate(), 422, { field: 'If-Match' });
});

test('a tag is never given twice, though an object is what it was before', async () => {
  for (const [name, { create, change }] of Object.entries(kinds)) {
    const { body } = await client.post(`/v1/${name}`, await create());
    const tags: string[] = [];
    for (const count of [1, 2, 1, 2]) {
      tags.push((await client.patch(pathOf(name, body), change(count))).headers.etag!);
    }
    expect({ name, tags: new Set(tags).size }).toEqual({ name, tags: 4 });
  }
});

test('every object whose changes go by If-Match is one of those above', async () => {
  const { body: document } = await gala.anonymous.get('/openapi.json');
  const takesIfMatch = ({ parameters = [] }: { parameters?: { $ref?: string }[] }) =>
    parameters.some(({ $ref }) => $ref?.endsWith('/If-Match'));
  const found = Object.entries<Record<string, object>>(document.paths).flatMap(([path, item]) =>
    Object.values(item).some(takesIfMatch) ? [path.split('/')[2]] : [],
  );
  expect([...new Set(found)].sort()).toEqual(Object.keys(kinds).sort());
});

test('what is no entity tag is refused, whatever it is', async () => {
  const { id } = await createLead(client);
  const patch = (tag: string) => client.patch(`/v1/leads/${id}`, { name: 'Ana' }, ifMatch(tag));
  for (const tag of ['', ',', 'abc', '"', '"a" "b"', 'w/"a"', '*, "a"', "'a'"]) {
    expectRefusal(await patch(tag), 422, { field: 'If-Match' });
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (tag) => {
      fc.pre(tag.trim() !== '*');
      expectRefusal(await patch(tag), 422, { field: 'If-Match' });
    }),
    { numRuns: 50 },
  );
  expect((await client.get(`/v1/leads/${id}`)).body.name).toBeNull();
});

test('actions on an object go by it too', async () => {
  const lead = await createLead(client);
  const { headers } = await client.delete(`/v1/leads/${lead.id}`);
  expectRefusal(await client.post(`/v1/leads/${lead.id}/restore`, undefined, ifMatch('"stale"')), 422, {
    field: 'If-Match',
  });
  expect(
    (await client.post(`/v1/leads/${lead.id}/restore`, undefined, ifMatch(headers.etag!))).body.archivedAt,
  ).toBeNull();
});

test('a route that can’t honour it says so, instead of losing an update', async () => {
  expectRefusal(await client.post('/v1/leads', { email: 'ana@example.com' }, ifMatch('"tag"')), 422, {
    field: 'If-Match',
  });
});

test('reads take no notice of it', async () => {
  const { id } = await createLead(client);
  expect((await client.get(`/v1/leads/${id}`, ifMatch('"stale"'))).status).toBe(200);
});

test('If-None-Match changes nothing: every answer is sent whole', async () => {
  const { id } = await createLead(client);
  const { headers, body } = await client.get(`/v1/leads/${id}`);
  for (const tag of [headers.etag!, '*']) {
    for (const path of [`/v1/leads/${id}`, '/v1/leads', '/v1/me']) {
      const answer = await client.get(path, { headers: { 'If-None-Match': tag } });
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    }
  }
  const again = await client.get(`/v1/leads/${id}`, { headers: { 'If-None-Match': headers.etag! } });
  expect(again.body).toEqual(body);
});

test('lists, and answers with a secret, have no ETag', async () => {
  expect((await client.get('/v1/leads')).headers).not.toHaveProperty('etag');
  const created = await client.post('/v1/webhooks', kinds.webhooks.create());
  expect(created.headers).not.toHaveProperty('etag');
});
