import { eventsOf } from '../support/events';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
  await addField(client, 'room');
  await addField(client, 'menu');
});

const bulk = async (operation: string, items: object[], options: object = {}) =>
  (await client.post('/v1/leads/bulk', { operation, items, ...options })).body;
const upsert = (fields: object) =>
  client.post('/v1/leads/upsert', { matchBy: 'email', email: 'ana@example.com', ...fields });
const read = async (id: string) => (await client.get(`/v1/leads/${id}`)).body;
const problemsOf = ({ results }: any) =>
  results.map(({ error }: any) => error?.details.map(({ field }: any) => field) ?? null);

describe('an upsert', () => {
  test('creates a lead with the values', async () => {
    const { status, body } = await upsert({ custom: { room: 'Hall' } });
    expect({ status, custom: body.custom }).toEqual({ status: 201, custom: { room: 'Hall', menu: null } });
  });

  test('changes the fields that it names, and null empties one', async () => {
    const { id } = await createLead(client, {
      email: 'ana@example.com',
      custom: { room: 'Hall', menu: 'Fish' },
    });
    expect((await upsert({ custom: { room: null } })).status).toBe(200);
    expect((await read(id)).custom).toEqual({ room: null, menu: 'Fish' });
  });

  test('fills single fields that are empty', async () => {
    const { id } = await createLead(client, { email: 'ana@example.com', custom: { room: 'Hall' } });
    const filled = await upsert({ onExisting: 'fill', custom: { room: 'Garden', menu: 'Fish' } });
    expect(filled).toMatchObject({ status: 200, body: { id, custom: { room: 'Hall', menu: 'Fish' } } });
    const [, updated] = await eventsOf(gala, id);
    expect(updated!.previous.custom).toEqual({ menu: null });
    const again = await upsert({ onExisting: 'fill', custom: { room: 'Garden', menu: null } });
    expect(again.body).toEqual(filled.body);
  });

  test('refuses values that their field doesn’t take, those of filled fields too', async () => {
    await createLead(client, { email: 'ana@example.com', custom: { room: 'Hall' } });
    for (const onExisting of ['overwrite', 'fill']) {
      expectInvalid(await upsert({ onExisting, custom: { room: 7 } }), 'custom.room');
      expectInvalid(await upsert({ onExisting, custom: { floor: '1' } }), 'custom.floor');
    }
    const { body } = await upsert({ guests: 'many', custom: { room: 7 } });
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'guests',
      'custom.room',
    ]);
  });

  test('needs required fields for a new lead alone', async () => {
    await addField(client, 'floor', { isRequired: true });
    expectInvalid(await upsert({}), 'custom.floor');
    await createLead(client, { email: 'ana@example.com', custom: { floor: '1' } });
    expect((await upsert({ custom: { floor: null } })).body.custom.floor).toBe(null);
  });
});

describe('a bulk write', () => {
  test('writes the values of each item, and a wrong one fails alone', async () => {
    const created = await bulk('create', [
      { email: 'ana@example.com', custom: { room: 'Hall' } },
      { email: 'ben@example.com', custom: { room: 7, floor: '1' } },
      { email: 'eva@example.com', custom: null },
    ]);
    expect(created).toMatchObject({ created: 2, failed: 1 });
    expect(problemsOf(created)).toEqual([null, ['custom.room', 'custom.floor'], null]);
    const [ana, , eva] = created.results.map(({ lead }: any) => lead);
    expect([ana.custom, eva.custom]).toEqual([
      { room: 'Hall', menu: null },
      { room: null, menu: null },
    ]);
    const updated = await bulk('update', [
      { id: ana.id, custom: { menu: 'Fish' } },
      { id: ana.id, custom: { room: 'Hall' } },
      { id: eva.id, custom: { nowhere: 1 } },
      { id: ana.id, custom: { room: null } },
    ]);
    expect(updated.results.map(({ status }: any) => status)).toEqual([
      'updated',
      'unchanged',
      'failed',
      'updated',
    ]);
    expect((await read(ana.id)).custom).toEqual({ room: null, menu: 'Fish' });
    expect(await read(ana.id)).toEqual(updated.results[3].lead);
  });

  test('stores nothing if it is atomic, and names every problem', async () => {
    const items = [
      { email: 'ana@example.com', custom: { room: 'Hall' } },
      { email: 'ben@example.com', custom: { room: 7, floor: '1' } },
      { email: 'eva@example.com', custom: { menu: false } },
    ];
    const { error } = await bulk('create', items, { atomic: true });
    expect(error.details.map(({ field }: any) => field)).toEqual([
      'items[1].custom.room',
      'items[1].custom.floor',
      'items[2].custom.menu',
    ]);
    expect((await client.get('/v1/leads')).body.pagination.total).toBe(0);
  });

  test('keeps the values of a lead below 8 KiB over several items', async () => {
    for (const key of ['a', 'b', 'c']) await addField(client, key, { type: 'long_text' });
    const { id } = await createLead(client);
    const long = 'x'.repeat(4000);
    const { results } = await bulk('update', [
      { id, custom: { a: long } },
      { id, custom: { b: long } },
      { id, custom: { c: long } },
      { id, custom: { a: null, c: long } },
    ]);
    expect(results.map(({ status }: any) => status)).toEqual(['updated', 'updated', 'failed', 'updated']);
    expect(problemsOf({ results })[2]).toEqual(['custom']);
    expect((await read(id)).custom).toMatchObject({ a: null, b: long, c: long });
  });
});

test('duplicates show their values', async () => {
  const { id } = await createLead(client, { email: 'ana@example.com' });
  await createLead(client, { email: 'ana@example.com', custom: { room: 'Hall' } });
  const { data } = (await client.get(`/v1/leads/${id}/duplicates`)).body;
  expect(data.map(({ custom }: any) => custom)).toEqual([{ room: 'Hall', menu: null }]);
});
