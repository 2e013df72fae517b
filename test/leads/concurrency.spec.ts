import { allEvents, eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, walkCursor } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(60_000);

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const read = async (id: string): Promise<LeadBody> => (await client.get(`/v1/leads/${id}`)).body;

test('changes of different fields at the same moment all survive, each time', async () => {
  const changes = {
    name: 'Eva',
    phone: '+34600123456',
    eventDate: '2027-06-12',
    guests: 7,
    source: 'fair',
    stage: 'confirmed',
    tags: ['vip'],
    email: 'eva@example.com',
  };
  await times(10, async () => {
    const lead = await createLead(client);
    const answers = await Promise.all(
      Object.entries(changes).map(([field, value]) =>
        client.patch(`/v1/leads/${lead.id}`, { [field]: value }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await read(lead.id)).toMatchObject(changes);
    const updates = (await eventsOf(gala, lead.id)).filter(({ type }) => type === 'lead.updated');
    expect(updates).toHaveLength(8);
    // Each event tells of the change before it: together they are one history without a gap.
    updates.slice(1).forEach((update, index) => {
      expect({ ...update.data, ...update.previous }).toEqual(updates[index]!.data);
    });
  });
});

test('a PATCH and a DELETE at the same moment: whatever was answered 200 is there', async () => {
  await times(15, async () => {
    const lead = await createLead(client);
    const path = `/v1/leads/${lead.id}`;
    const [patched, archived] = await Promise.all([
      client.patch(path, { stage: 'lost' }),
      client.delete(path),
    ]);
    expect(archived.status).toBe(200);
    expect([200, 422]).toContain(patched.status);
    const last = await read(lead.id);
    expect(last.archivedAt).not.toBeNull();
    expect(last.stage).toBe(patched.status === 200 ? 'lost' : 'new_enquiry');
    if (patched.status === 422) expect(patched.body.error.field).toBe('archivedAt');
  });
});

test('20 DELETEs of one lead at once archive it once', async () => {
  const lead = await createLead(client);
  const answers = await times(20, () => client.delete(`/v1/leads/${lead.id}`));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
  expect((await eventsOf(gala, lead.id)).map(({ type }) => type)).toEqual(['lead.created', 'lead.archived']);
});

test('DELETEs and restores at once leave events that alternate and a lead that agrees with the last', async () => {
  const lead = await createLead(client);
  const path = `/v1/leads/${lead.id}`;
  await times(20, (index) => (index % 2 ? client.delete(path) : client.post(`${path}/restore`)));
  const [, ...types] = (await eventsOf(gala, lead.id)).map(({ type }) => type);
  types.forEach((type, index) => expect(type).toBe(index % 2 ? 'lead.restored' : 'lead.archived'));
  expect((await read(lead.id)).archivedAt === null).toBe(types.length % 2 === 0);
});

test('the same change 20 times at once happens once', async () => {
  const lead = await createLead(client);
  const answers = await times(20, () => client.patch(`/v1/leads/${lead.id}`, { stage: 'confirmed' }));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const types = (await eventsOf(gala, lead.id)).map(({ type }) => type);
  expect(types).toEqual(['lead.created', 'lead.updated', 'lead.stage_changed']);
});

test('1,000 requests of all kinds at once lose and repeat nothing', async () => {
  const mine = await gala.createWorkspace();
  const caller = await mine.client();
  const existing = await times(50, (index) => createLead(caller, { name: `Old ${index}`, source: 'old' }));
  // Kinds of one round meet at one lead, and few leads take all the changes.
  const lead = (index: number) => existing[Math.floor(index / 5) % 10]!;
  const failures: unknown[] = [];
  const ok = (status: number, answer: { status: number; text: string }) => {
    if (answer.status !== status) failures.push([answer.status, answer.text]);
  };
  const kinds = [
    async (index: number) =>
      ok(
        201,
        await caller.post('/v1/leads', {
          email: `n${index}@example.com`,
          name: `New ${index}`,
          source: 'new',
        }),
      ),
    async (index: number) =>
      ok(200, await caller.patch(`/v1/leads/${lead(index).id}`, { guests: 1 + index })),
    async (index: number) =>
      ok(200, await caller.patch(`/v1/leads/${lead(index).id}`, { tags: [`t${index}`] })),
    async (index: number) => ok(200, await caller.get(`/v1/leads/${lead(index).id}`)),
    async () => ok(200, await caller.get('/v1/leads?limit=10')),
  ];
  await times(1000, (index) => kinds[index % 5]!(index));
  expect(failures).toEqual([]);

  const leads = await walkCursor(caller, { limit: 100 });
  expect(leads).toHaveLength(250);
  expect(new Set(leads.map(({ id }) => id)).size).toBe(250);
  const created = leads.filter(({ source }) => source === 'new').map(({ name }) => name);
  expect(new Set(created)).toEqual(new Set(Array.from({ length: 200 }, (_, index) => `New ${index * 5}`)));

  const events = await allEvents(gala, mine.id);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect([count('lead.created'), count('lead.updated')]).toEqual([250, 400]);
  for (const old of leads.filter(({ source }) => source === 'old')) {
    const history = events.filter(({ data }) => data.id === old.id);
    expect(history.at(-1)!.data).toEqual(old);
    history.slice(2).forEach((event, index) => {
      expect({ ...event.data, ...event.previous }).toEqual(history[index + 1]!.data);
    });
  }
});
