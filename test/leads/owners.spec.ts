import { newId, type UserId } from '../../src/kernel/ids';
import { CreateLead } from '../../src/modules/leads';
import { RemoveMember } from '../../src/modules/workspaces';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, namesIn, type Parameters, walkCursor } from '../support/leads';
import { newEmail } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf, ownerOf } from '../workspaces/people';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let ana: UserId;
let ben: UserId;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  ana = (await memberOf(gala, workspace.id, 'ana@example.com', 'member')).id;
  ben = (await memberOf(gala, workspace.id, 'ben@example.com', 'member')).id;
});
afterAll(() => gala.stop());

const patch = (lead: { id: string }, fields: object) => client.patch(`/v1/leads/${lead.id}`, fields);

test('a lead belongs to nobody, until it is given to a member and taken from them again', async () => {
  const lead = await createLead(client);
  expect(lead).toMatchObject({ ownerId: null });
  const given = await patch(lead, { ownerId: ana });
  expect(given).toMatchObject({ status: 200, body: { ownerId: ana } });
  expect(given.headers.etag).not.toBe(
    (await client.get(`/v1/leads/${(await createLead(client)).id}`)).headers.etag,
  );
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(given.body);
  expect((await patch(lead, { ownerId: null })).body.ownerId).toBeNull();
});

test('each change of owner is told by an event of its own, and so is the first one', async () => {
  const lead = await createLead(client, { ownerId: ana });
  await patch(lead, { ownerId: ana });
  await patch(lead, { ownerId: ben, stage: 'contacted' });
  await patch(lead, { ownerId: null });
  await patch(lead, { guests: 5 });
  const events = (await eventsOf(gala, lead.id)).map(({ type, data, previous }) => [
    type,
    data.ownerId,
    previous?.ownerId,
  ]);
  expect(events).toEqual([
    ['lead.created', ana, undefined],
    ['lead.assigned', ana, null],
    ['lead.updated', ben, ana],
    ['lead.stage_changed', ben, undefined],
    ['lead.assigned', ben, ana],
    ['lead.updated', null, ben],
    ['lead.assigned', null, ben],
    ['lead.updated', null, undefined],
  ]);
});

describe('an owner is never', () => {
  test('someone who is no member', async () => {
    const stranger = await memberOf(gala, (await gala.createWorkspace()).id, newEmail(), 'member');
    const lead = await createLead(client, { ownerId: ana });
    for (const ownerId of [newId('user'), stranger.id]) {
      const field = { field: 'ownerId' };
      expectRefusal(await client.post('/v1/leads', { email: 'x@example.com', ownerId }), 422, field);
      expectRefusal(await patch(lead, { ownerId, guests: 9 }), 422, field);
    }
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  });

  test.each([newId('lead'), 'ana@example.com', '', 5, ['user_1'], 'none'])('%j', async (ownerId) => {
    const field = { field: 'ownerId' };
    expectRefusal(await client.post('/v1/leads', { email: 'x@example.com', ownerId }), 422, field);
    expectRefusal(await patch(await createLead(client), { ownerId }), 422, field);
  });

  test('someone who leaves at that moment, however it ends', async () => {
    const leaver = await memberOf(gala, workspace.id, newEmail(), 'member');
    const owner = await ownerOf(gala);
    const create = gala.app.get(CreateLead, { strict: false });
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    const input = { email: 'race@example.com', source: 'race', ownerId: leaver.id };
    const attempts = Array.from({ length: 30 }, () => create.execute(ref, input).catch(() => undefined));
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, owner, leaver.id);
    await Promise.all(attempts);
    expect((await list(client, { ownerId: leaver.id, archived: 'all' })).body.pagination.total).toBe(0);
  });
});

describe('the filter ownerId', () => {
  const owners: Record<string, UserId | null> = {};
  const leads: LeadBody[] = [];
  let reader: Client;
  beforeAll(async () => {
    const other = await gala.createWorkspace();
    reader = await other.client();
    for (const name of ['cleo', 'dan'])
      owners[name] = (await memberOf(gala, other.id, newEmail(), 'member')).id;
    owners.none = null;
    const stages = ['new_enquiry', 'contacted', 'lost'];
    for (let number = 0; number < 60; number++) {
      const ownerId = owners[['cleo', 'dan', 'none', 'cleo', 'none'][number % 5]!]!;
      const stage = stages[number % 3]!;
      const lead = await createLead(reader, { name: `${number}`, ownerId, stage, source: `s${number % 2}` });
      if (number % 4 === 0) await reader.delete(`/v1/leads/${lead.id}`);
      leads.push((await reader.get(`/v1/leads/${lead.id}`)).body);
    }
  });

  const FILTERS: Parameters[] = [
    {},
    { archived: 'true' },
    { archived: 'all' },
    { stage: 'contacted' },
    { stage: 'lost', archived: 'all' },
    { source: 's1' },
    { stage: 'contacted', source: 's0', archived: 'all' },
    { q: '1', archived: 'all' },
  ];
  const expected = (name: string, { archived = 'false', stage, source, q }: Parameters) =>
    leads.filter(
      (lead) =>
        lead.ownerId === owners[name] &&
        (archived === 'all' || String(lead.archivedAt !== null) === archived) &&
        (stage === undefined || lead.stage === stage) &&
        (source === undefined || lead.source === source) &&
        (q === undefined || lead.name!.includes(String(q))),
    );

  test.each(['cleo', 'dan', 'none'].flatMap((name) => FILTERS.map((filter) => [name, filter] as const)))(
    'finds those of %s with %j, and their number, in any order',
    async (name, filter) => {
      const found = expected(name, filter);
      const parameters = { ...filter, ownerId: owners[name] ?? 'none' };
      for (const sort of ['createdAt', '-createdAt', 'name', '-updatedAt']) {
        const walked = await walkCursor(reader, { ...parameters, sort, limit: 4 });
        expect(walked.map(({ id }) => id).sort()).toEqual(found.map(({ id }) => id).sort());
      }
      const { pagination } = (await list(reader, { ...parameters, limit: 3, page: 2 })).body;
      expect(pagination.total).toBe(found.length);
    },
  );

  test('finds nothing of a stranger, and of members of another workspace', async () => {
    for (const ownerId of [newId('user'), ana]) expect(await namesIn(reader, { ownerId })).toEqual([]);
  });

  test.each(['', 'None', 'null', 'user_', newId('lead'), 'cleo@example.com'])(
    'is never %j',
    async (ownerId) => {
      expectRefusal(await list(reader, { ownerId }), 422, { field: 'ownerId' });
    },
  );

  test('counts in the sandbox what is there', async () => {
    const sandbox = await workspace.client('test');
    await createLead(sandbox, { name: 'Sandbox', ownerId: ana });
    expect(await namesIn(sandbox, { ownerId: ana })).toEqual(['Sandbox']);
    expect(await namesIn(sandbox, { ownerId: 'none' })).toEqual([]);
  });
});
