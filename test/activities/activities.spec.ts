import fc from 'fast-check';
import { newId } from '../../src/kernel/ids';
import { storableText } from '../support/arbitraries';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { type ActivityBody, CALL, log } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let leadId: string;
let path: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  leadId = (await createLead(client)).id;
  path = `/v1/leads/${leadId}/activities`;
});
afterAll(() => gala.stop());

const ids = async (query = '') =>
  (await client.get(`${path}${query}`)).body.data.map(({ id }: ActivityBody) => id);
const minutesAhead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('an activity is logged by the key, and read again', async () => {
  const answer = await client.post(path, {
    ...CALL,
    at: '2026-01-15T10:30:00.5+01:00',
    externalId: 'call-1',
  });
  const { body } = answer;
  expect(answer).toMatchObject({ status: 201, headers: { location: `${path}/${body.id}` } });
  expect(body).toEqual({
    ...CALL,
    id: expect.stringMatching(/^act_[0-9a-z]{26}$/),
    leadId,
    at: '2026-01-15T09:30:00.500Z',
    externalId: 'call-1',
    author: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'Test key' },
    editedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    revision: 1,
  });
  expect((await client.get(`${path}/${body.id}`)).body).toEqual(body);
  expect(await eventsOf(gala, body.id)).toEqual([
    expect.objectContaining({ type: 'activity.created', data: body, previous: null }),
  ]);
});

test('type and text are enough: it took place now, in no direction', async () => {
  const { body } = await client.post(path, { type: 'note', text: 'Likes the garden.', direction: null });
  expect(body).toMatchObject({ direction: null, at: body.createdAt, externalId: null });
});

test('the list has those of the lead alone, the latest first, and narrows by type', async () => {
  const other = await createLead(client);
  await log(client, other.id);
  const first = await log(client, leadId, { at: '2026-01-01T10:00:00Z' });
  const third = await log(client, leadId, { at: '2026-01-03T10:00:00Z', type: 'note' });
  const second = await log(client, leadId, { at: '2026-01-02T10:00:00Z' });
  expect(await ids()).toEqual([third.id, second.id, first.id]);
  expect(await ids('?type=call')).toEqual([second.id, first.id]);
  const { data, pagination } = (await client.get(`${path}?limit=2`)).body;
  expect(data).toEqual([third, second]);
  expect(pagination).toMatchObject({ total: 3, hasNext: true });
  expect(await ids(`?limit=2&cursor=${pagination.nextCursor}`)).toEqual([first.id]);
  const elsewhere = `/v1/leads/${other.id}/activities?cursor=${pagination.nextCursor}`;
  expectRefusal(await client.get(elsewhere), 422, { field: 'cursor' });
});

describe('externalId', () => {
  test('logging the same again returns what stands, and tells nothing', async () => {
    const first = await log(client, leadId, { externalId: 'call-1' });
    const corrected = (await client.patch(`${path}/${first.id}`, { text: 'Has two dogs.' })).body;
    const again = await client.post(path, { ...CALL, text: 'Something else', externalId: 'call-1' });
    expect(again).toMatchObject({
      status: 201,
      body: corrected,
      headers: { location: `${path}/${first.id}` },
    });
    expect(await ids()).toEqual([first.id]);
    expect((await eventsOf(gala, first.id)).map(({ type }) => type)).toEqual([
      'activity.created',
      'activity.updated',
    ]);
  });

  test('of twenty that log the same at once, one does', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.post(path, { ...CALL, text: `Try ${index}`, externalId: 'call-1' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const [{ body }] = answers as [(typeof answers)[0]];
    for (const answer of answers) expect(answer.body).toEqual(body);
    expect(await ids()).toEqual([body.id]);
  });

  test('is another one for another lead, and in the other mode', async () => {
    const first = await log(client, leadId, { externalId: 'call-1' });
    const second = await log(client, (await createLead(client)).id, { externalId: 'call-1' });
    const test = await workspace.client('test');
    const third = await log(test, (await createLead(test)).id, { externalId: 'call-1' });
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  });

  test('is compared to the letter', async () => {
    for (const externalId of ['call-1', 'CALL-1', 'call-1 ', 'caf\u00e9', 'cafe\u0301']) {
      expect(await log(client, leadId, { externalId })).toMatchObject({ externalId, revision: 1 });
    }
    expect(await ids()).toHaveLength(5);
  });

  test('can be used again after the activity was deleted', async () => {
    const first = await log(client, leadId, { externalId: 'call-1' });
    await client.delete(`${path}/${first.id}`);
    expect((await log(client, leadId, { externalId: 'call-1' })).id).not.toBe(first.id);
  });
});

test('a change replaces the given fields, sets editedAt, and tells what was there before', async () => {
  const before = await log(client, leadId, { at: '2026-01-15T09:30:00.000Z' });
  const one = `${path}/${before.id}`;
  expect((await client.patch(one, {})).body).toEqual(before);
  expect((await client.patch(one, { ...CALL, at: before.at })).body).toEqual(before);
  const { body } = await client.patch(one, { type: 'meeting', direction: null });
  expect(body).toEqual({
    ...before,
    type: 'meeting',
    direction: null,
    editedAt: expect.stringMatching(/Z$/),
    revision: 2,
  });
  const previous = { type: 'call', direction: 'in', editedAt: null, revision: 1 };
  expect((await eventsOf(gala, before.id)).slice(1)).toEqual([
    expect.objectContaining({ type: 'activity.updated', data: body, previous }),
  ]);
  expectRefusal(await client.patch(one, { externalId: 'call-1' }), 422, { field: 'externalId' });
});

test('a deleted activity is gone, and told about', async () => {
  const activity = await log(client, leadId);
  const one = `${path}/${activity.id}`;
  expect(await client.delete(one)).toMatchObject({ status: 200, body: activity });
  for (const answer of [await client.delete(one), await client.get(one), await client.patch(one, {})]) {
    expectRefusal(answer, 404);
  }
  expect(await ids()).toEqual([]);
  expect((await eventsOf(gala, activity.id)).at(-1)).toMatchObject({
    type: 'activity.deleted',
    data: activity,
  });
});

test('a change and a deletion go by If-Match', async () => {
  const { id } = await log(client, leadId);
  const { etag } = (await client.get(`${path}/${id}`)).headers;
  const seen = { headers: { 'If-Match': etag } };
  expect((await client.patch(`${path}/${id}`, { text: 'Two dogs.' }, seen)).status).toBe(200);
  expectRefusal(await client.patch(`${path}/${id}`, { text: 'No dogs.' }, seen), 422, { field: 'If-Match' });
  expectRefusal(await client.delete(`${path}/${id}`, seen), 422, { field: 'If-Match' });
});

describe('an archived lead', () => {
  test('gets no new activity, but its activities are read, corrected and deleted', async () => {
    const activity = await log(client, leadId, { externalId: 'call-1' });
    await client.delete(`/v1/leads/${leadId}`);
    expectRefusal(await client.post(path, CALL), 422, { field: 'archivedAt' });
    expect(await ids()).toEqual([activity.id]);
    expect((await client.post(path, { ...CALL, externalId: 'call-1' })).body).toEqual(activity);
    const one = `${path}/${activity.id}`;
    expect((await client.patch(one, { text: 'Two dogs.' })).status).toBe(200);
    expect((await client.delete(one)).status).toBe(200);
  });

  test('that is archived at the same moment gets the activity before that, or not at all', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createLead(client);
      const logs = () => client.post(`/v1/leads/${id}/activities`, CALL);
      const archives = () => client.delete(`/v1/leads/${id}`);
      const [one, other] = await Promise.all(round % 2 ? [logs(), archives()] : [archives(), logs()]);
      const logged = round % 2 ? one : other;
      if (logged.status === 201) {
        const { archivedAt } = (await client.get(`/v1/leads/${id}`)).body;
        expect(logged.body.createdAt <= archivedAt).toBe(true);
      } else expectRefusal(logged, 422, { field: 'archivedAt' });
    }
  });
});

test('what can’t be right is refused', async () => {
  const refused: [object, string][] = [
    [{}, 'type'],
    [{ type: 'note' }, 'text'],
    [{ ...CALL, type: 'fax' }, 'type'],
    [{ ...CALL, direction: 'up' }, 'direction'],
    [{ ...CALL, text: ' ' }, 'text'],
    [{ ...CALL, text: '😀'.repeat(10_001) }, 'text'],
    [{ ...CALL, externalId: '' }, 'externalId'],
    [{ ...CALL, at: '2026-01-15' }, 'at'],
    [{ ...CALL, at: '1899-12-31T23:59:59Z' }, 'at'],
    [{ ...CALL, at: minutesAhead(6) }, 'at'],
    [{ ...CALL, author: { type: 'user', id: 'user_1', name: 'Me' } }, 'author'],
  ];
  for (const [body, field] of refused) expectRefusal(await client.post(path, body), 422, { field });
  expect((await client.post(path, { ...CALL, text: '😀'.repeat(10_000), at: minutesAhead(4) })).status).toBe(
    201,
  );
  const { id } = await log(client, leadId);
  expectRefusal(await client.patch(`${path}/${id}`, { at: minutesAhead(6) }), 422, { field: 'at' });
  expectRefusal(await client.patch(`${path}/${id}`, { text: null }), 422, { field: 'text' });
  const unknown = `/v1/leads/${newId('lead')}/activities`;
  expectRefusal(await client.post(unknown, { ...CALL, at: minutesAhead(6) }), 422, { field: 'at' });
  expectRefusal(await client.post(unknown, CALL), 404);
  expectRefusal(await client.get(unknown), 404);
});

test('any text is returned as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(storableText(300), storableText(200), async (text, externalId) => {
      const activity = await log(client, leadId, { text, externalId });
      expect(activity).toMatchObject({ externalId });
      expect((await client.get(`${path}/${activity.id}`)).body).toEqual(activity);
    }),
    { numRuns: 40 },
  );
});

test('is nobody else’s: another lead, workspace or mode doesn’t lead to it', async () => {
  const { id } = await log(client, leadId);
  const other = await createLead(client);
  const strangers: [Client, string][] = [
    [client, `/v1/leads/${other.id}/activities/${id}`],
    [await (await gala.createWorkspace()).client(), `${path}/${id}`],
    [await workspace.client('test'), `${path}/${id}`],
  ];
  for (const [stranger, address] of strangers) {
    expectRefusal(await stranger.get(address), 404);
    expectRefusal(await stranger.patch(address, { text: 'Mine' }), 404);
    expectRefusal(await stranger.delete(address), 404);
  }
  expect((await client.get(`${path}/${id}`)).status).toBe(200);
});

test('reading needs leads:read, writing leads:write', async () => {
  const activity = await log(client, leadId);
  const reader = await workspace.client('live', ['leads:read']);
  expect((await reader.get(path)).body.data).toEqual([activity]);
  expectRefusal(await reader.post(path, CALL), 403, { scope: 'leads:write' });
  const writer = await workspace.client('live', ['leads:write']);
  expectRefusal(await writer.get(path), 403, { scope: 'leads:read' });
});
