import fc from 'fast-check';
import { newId } from '../../src/kernel/ids';
import { log } from '../activities/support';
import { pathOf, sent, visitor } from '../proposals/support';
import { plan } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { createTask } from '../tasks/support';

interface Entry {
  at: string;
  type: string;
  id: string;
  actor: { type: string; id: string | null; name: string | null } | null;
  summary: string;
  data: any;
}

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
  client = await workspace.client('test');
  leadId = (await createLead(client, { phone: '+15005550001', guests: 100 })).id;
  path = `/v1/leads/${leadId}/timeline`;
});
afterAll(() => gala.stop());

const read = async (query = '', reader = client) => {
  const { status, body } = await reader.get(`${path}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as { data: Entry[]; omitted: string[]; pagination: any };
};

/** Every entry, page by page. */
async function walk(limit: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, pagination } = await read(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(data.length).toBeGreaterThan(0);
    expect(pagination).toEqual({
      limit,
      hasNext: pagination.nextCursor !== null,
      nextCursor: pagination.nextCursor,
    });
    entries.push(...data);
    cursor = pagination.nextCursor;
  }
  return entries;
}

test('a lead to whom nothing happened has an empty timeline', async () => {
  expect(await read()).toEqual({
    data: [],
    omitted: [],
    pagination: { limit: 20, hasNext: false, nextCursor: null },
  });
  expect((await read('?limit=1000')).pagination.limit).toBe(100);
});

test('each kind of thing is told with what it is about, the latest first', async () => {
  const call = await log(client, leadId, { at: '2026-01-15T09:30:00.000Z', externalId: 'call-1' });
  const { id: taskId } = await createTask(client, { leadId, title: 'Send the menu' });
  const { body: task } = await client.post(`/v1/tasks/${taskId}/complete`);
  const { body: message } = await client.post('/v1/messages', { leadId, text: 'Hello' });
  const visit = await plan(client, { leadId, type: 'visit', title: 'Visit' });
  const day = await plan(client, {
    leadId,
    type: 'hold',
    title: 'June',
    startsAt: '2027-06-20',
    endsAt: '2027-06-21',
  });
  const proposal = await sent(client, { leadId, title: 'Wedding' });
  const ana = visitor(gala.baseUrl);
  await ana.get(pathOf(proposal));
  await ana.submit(
    `${pathOf(proposal)}/accept`,
    { name: 'Ana Pérez', consent: 'yes' },
    { on: pathOf(proposal) },
  );
  const accepted = (await client.get(`/v1/proposals/${proposal.id}`)).body;

  const { data, omitted } = await read();
  expect(omitted).toEqual([]);
  const { number, version, total } = accepted;
  const offer = { number, version, title: 'Wedding', status: 'accepted', currency: 'EUR', total };
  const hello = { direction: 'outbound', channel: 'simulator', type: 'text', text: 'Hello', template: null };
  const moved = {
    at: expect.any(String),
    type: 'stage_changed',
    id: expect.stringMatching(/^\d{19}$/),
  };
  const expected: Entry[] = [
    {
      at: '2027-06-19T22:00:00.000Z',
      type: 'calendar_event',
      id: day.id,
      actor: null,
      summary: 'Hold: June',
      data: {
        type: 'hold',
        title: 'June',
        status: 'confirmed',
        startsAt: '2027-06-20',
        endsAt: '2027-06-21',
        timeZone: 'Europe/Madrid',
        allDay: true,
      },
    },
    {
      at: visit.startsAt,
      type: 'calendar_event',
      id: visit.id,
      actor: null,
      summary: 'Visit: Visit',
      data: {
        type: 'visit',
        title: 'Visit',
        status: 'confirmed',
        startsAt: visit.startsAt,
        endsAt: visit.endsAt,
        timeZone: 'Europe/Madrid',
        allDay: false,
      },
    },
    {
      ...moved,
      actor: { type: 'client', id: leadId, name: null },
      summary: 'Stage changed from Proposal sent to Confirmed',
      data: { from: 'proposal_sent', to: 'confirmed', lostReasonId: null, lostNote: null },
    },
    {
      at: accepted.acceptedAt,
      type: 'proposal_accepted',
      id: proposal.id,
      actor: { type: 'client', id: null, name: 'Ana Pérez' },
      summary: `Proposal ${number} accepted: Wedding`,
      data: offer,
    },
    {
      at: accepted.viewedAt,
      type: 'proposal_viewed',
      id: proposal.id,
      actor: { type: 'client', id: null, name: null },
      summary: `Proposal ${number} viewed: Wedding`,
      data: offer,
    },
    {
      ...moved,
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'Test key' },
      summary: 'Stage changed from New enquiry to Proposal sent',
      data: { from: 'new_enquiry', to: 'proposal_sent', lostReasonId: null, lostNote: null },
    },
    {
      at: accepted.sentAt,
      type: 'proposal_sent',
      id: proposal.id,
      actor: null,
      summary: `Proposal ${number} sent: Wedding`,
      data: offer,
    },
    {
      at: message.createdAt,
      type: 'message',
      id: message.id,
      actor: null,
      summary: 'Test message to the lead',
      data: { ...hello, status: 'queued' },
    },
    {
      at: task.completedAt,
      type: 'task_completed',
      id: taskId,
      actor: task.completedBy,
      summary: 'Task completed: Send the menu',
      data: { title: 'Send the menu', assigneeId: null },
    },
    {
      at: call.at,
      type: 'activity',
      id: call.id,
      actor: call.author,
      summary: 'Call from the lead',
      data: { type: 'call', direction: 'in', text: call.text, externalId: 'call-1' },
    },
  ];
  expect(data).toEqual(expected);
  expect(await walk(1)).toEqual(data);
});

test('it tells what stands now: nothing that was reopened, archived, cancelled or changed since', async () => {
  const { id } = await log(client, leadId);
  const { id: taskId } = await createTask(client, { leadId });
  await client.post(`/v1/tasks/${taskId}/complete`);
  const visit = await plan(client, { leadId, type: 'visit', title: 'Visit' });
  expect((await read()).data).toHaveLength(3);
  await client.patch(`/v1/leads/${leadId}/activities/${id}`, { type: 'note', direction: null, text: 'New' });
  await client.post(`/v1/tasks/${taskId}/reopen`);
  await client.delete(`/v1/calendar-events/${visit.id}`);
  const { data } = await read();
  expect(data.map(({ summary }) => summary)).toEqual(['Visit (cancelled): Visit', 'Note']);
  expect(data[1]!.data).toMatchObject({ text: 'New' });
  await client.post(`/v1/tasks/${taskId}/complete`);
  await client.delete(`/v1/tasks/${taskId}`);
  await client.delete(`/v1/leads/${leadId}/activities/${id}`);
  expect((await read()).data.map(({ type }) => type)).toEqual(['calendar_event']);
});

test('parts whose scope the key lacks are left out, and named', async () => {
  await log(client, leadId);
  const { id: taskId } = await createTask(client, { leadId });
  await client.post(`/v1/tasks/${taskId}/complete`);
  await client.post('/v1/messages', { leadId, text: 'Hello' });
  await plan(client, { leadId, type: 'visit' });
  await sent(client, { leadId });
  const scopes = {
    calendar: 'calendar:read',
    messages: 'messages:read',
    proposals: 'proposals:read',
    tasks: 'tasks:read',
  };
  for (const [part, scope] of Object.entries({ none: 'leads:write', ...scopes })) {
    const reader = await workspace.client('test', ['leads:read', scope]);
    const { data, omitted } = await read('', reader);
    expect({ scope, omitted }).toEqual({
      scope,
      omitted: Object.keys(scopes).filter((name) => name !== part),
    });
    const kinds = new Set(data.map(({ type }) => type.replace(/_.*/, '')));
    expect([...kinds]).toHaveLength(part === 'none' ? 2 : 3);
    expect([...kinds]).toEqual(expect.arrayContaining(['activity', 'stage']));
  }
  const stranger = await workspace.client('test', Object.values(scopes));
  expectRefusal(await stranger.get(path), 403, { scope: 'leads:read' });
});

test('what belongs to another lead, workspace or mode isn’t there', async () => {
  const other = await createLead(client);
  await log(client, other.id);
  await log(client, leadId);
  expect((await read()).data).toHaveLength(1);
  for (const stranger of [await workspace.client(), await (await gala.createWorkspace()).client('test')]) {
    expectRefusal(await stranger.get(path), 404);
  }
  await client.delete(`/v1/leads/${leadId}`);
  expect((await read()).data).toHaveLength(1);
});

test('a cursor goes with its lead, and nothing else is one', async () => {
  await log(client, leadId);
  await log(client, leadId);
  const { nextCursor } = (await read('?limit=1')).pagination;
  const other = await createLead(client);
  for (const [lead, cursor] of [
    [other.id, nextCursor],
    [leadId, 'nonsense'],
    [leadId, ''],
  ]) {
    expectRefusal(await client.get(`/v1/leads/${lead}/timeline?cursor=${cursor}`), 422, { field: 'cursor' });
  }
  const unknown = `/v1/leads/${newId('lead')}/timeline`;
  expectRefusal(await client.get(`${unknown}?cursor=nonsense`), 422, { field: 'cursor' });
  for (const query of ['limit=0', 'limit=x', 'page=1', 'sort=at']) {
    expectRefusal(await client.get(`${path}?${query}`), 422, { field: query.split('=')[0]! });
  }
});

/** Few times, so that entries of all kinds share them. */
const time = fc.integer({ min: 0, max: 3 }).map((ms) => `2026-01-15T09:30:00.00${ms}Z`);
const happening = fc.record({ kind: fc.constantFrom('activity', 'visit', 'hold'), at: time });

test('a walk of any step meets each entry once and in order, also among entries of the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (happenings, limit) => {
        leadId = (await createLead(client)).id;
        path = `/v1/leads/${leadId}/timeline`;
        for (const { kind, at } of happenings) {
          if (kind === 'activity') await log(client, leadId, { at });
          else await plan(client, { leadId, type: kind, startsAt: at, endsAt: '2026-01-15T10:00:00Z' });
        }
        const whole = (await read('?limit=100')).data;
        expect(whole).toHaveLength(happenings.length);
        const keys = whole.map(({ at, type, id }) => `${at} ${type}\0${id}`);
        expect(keys).toEqual(keys.toSorted().toReversed());
        expect(await walk(limit)).toEqual(whole);
      },
    ),
    { numRuns: 15 },
  );
});

test('what happens meanwhile neither hides nor repeats an entry of a walk', async () => {
  for (let minute = 0; minute < 6; minute++)
    await log(client, leadId, { at: `2026-01-15T09:3${minute}:00.000Z` });
  const before = (await read()).data;
  const first = await read('?limit=3');
  await log(client, leadId);
  const rest = await read(`?limit=10&cursor=${first.pagination.nextCursor}`);
  expect([...first.data, ...rest.data]).toEqual(before);
});

test('long texts are cut', async () => {
  await log(client, leadId, { text: '😀'.repeat(10_000) });
  const { data } = await read();
  expect([...data[0]!.data.text]).toHaveLength(1000);
});
