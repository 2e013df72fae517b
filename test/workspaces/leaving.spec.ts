import type { Person } from '../../src/kernel/actor';
import { ValidationFailed } from '../../src/kernel/errors';
import { toUuid, type UserId } from '../../src/kernel/ids';
import { AcceptInvitation, InviteMember, Members, RemoveMember } from '../../src/modules/workspaces';
import { EndMembership } from '../../src/modules/workspaces/application/end-membership';
import { HandOverJob } from '../../src/modules/workspaces/infrastructure/hand-over-job';
import { Accounts } from '../../src/modules/accounts';
import { newApp, SCOPES } from '../oauth/support';
import { allEvents, eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { browserOf, newEmail } from '../support/people';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';
import { ADDRESS, memberOf, ownerOf } from './people';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let owner: Person;
let leaver: Person;
let heir: Person;
beforeAll(async () => {
  gala = await startGala();
  owner = await ownerOf(gala);
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  leaver = await memberOf(gala, workspace.id, newEmail(), 'member');
  heir = await memberOf(gala, workspace.id, newEmail(), 'member');
});

const get = <Type>(token: abstract new (...args: never[]) => Type) =>
  gala.app.get<Type>(token, { strict: false });
const remove = (successor?: UserId | null, actor = owner) =>
  get(RemoveMember).execute(workspace.id, actor, leaver.id, successor);
const ownedBy = async (ownerId: UserId | 'none') =>
  (await list(client, { ownerId, archived: 'all' })).body.pagination.total;
const leaving = () =>
  sql(gala.databaseUrl, 'SELECT FROM memberships WHERE workspace_id = $1 AND user_id = $2', [
    toUuid(workspace.id),
    toUuid(leaver.id),
  ]);

const waiting = () =>
  sql(
    gala.databaseUrl,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Many leads of the leaver, at once. */
async function manyLeads(count: number): Promise<void> {
  const { id } = await createLead(client, { ownerId: leaver.id });
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, email, stage, tags, search_text, owner_id, created_at, updated_at)
     SELECT workspace_id, mode, gen_random_uuid(), email, stage, tags, search_text, owner_id,
       created_at + number * interval '1 ms', updated_at
     FROM leads, generate_series(1, ${count - 1}) AS number WHERE id = $1`,
    [toUuid(id as `lead_${string}`)],
  );
}

test('the open leads of a member who is removed get the successor, and all others nobody', async () => {
  const open = await createLead(client, { ownerId: leaver.id, stage: 'negotiation' });
  const lost = await createLead(client, { ownerId: leaver.id, stage: 'lost' });
  const archived = await createLead(client, { ownerId: leaver.id });
  await client.delete(`/v1/leads/${archived.id}`);
  const sandbox = await workspace.client('test');
  const inSandbox = await createLead(sandbox, { ownerId: leaver.id });
  const untouched = await createLead(client, { ownerId: owner.id });
  await remove(heir.id);
  const now = async ({ id }: { id: string }, reader = client) => (await reader.get(`/v1/leads/${id}`)).body;
  expect((await now(open)).ownerId).toBe(heir.id);
  expect((await now(lost)).ownerId).toBeNull();
  expect((await now(archived)).ownerId).toBeNull();
  expect((await now(inSandbox, sandbox)).ownerId).toBe(heir.id);
  expect(await now(untouched)).toEqual(untouched);
  expect(await leaving()).toEqual([]);
  const events = (await eventsOf(gala, open.id)).slice(-2);
  const cause = { type: 'user', id: owner.id };
  expect(events).toMatchObject([
    { type: 'lead.updated', data: { ownerId: heir.id }, previous: { ownerId: leaver.id }, cause },
    { type: 'lead.assigned', data: { ownerId: heir.id }, previous: { ownerId: leaver.id }, cause },
  ]);
});

test('without a successor nobody owns them', async () => {
  await createLead(client, { ownerId: leaver.id });
  await remove();
  expect([await ownedBy(leaver.id), await ownedBy('none')]).toEqual([0, 1]);
});

test('no one takes over who is no member, or leaves', async () => {
  const stranger = await memberOf(gala, (await gala.createWorkspace()).id, newEmail(), 'member');
  for (const successor of [stranger.id, leaver.id]) {
    await expect(remove(successor)).rejects.toThrow(ValidationFailed);
  }
  expect((await get(Members).list(workspace.id)).members).toHaveLength(3);
});

describe('of a member with very many leads', () => {
  beforeEach(() => manyLeads(1201));

  test('some are moved at once and the others by a job, each once and with its events', async () => {
    await remove(heir.id);
    expect([await ownedBy(leaver.id), await ownedBy(heir.id)]).toEqual([201, 1000]);
    await get(HandOverJob).runAll();
    expect([await ownedBy(leaver.id), await ownedBy(heir.id)]).toEqual([0, 1201]);
    expect(await leaving()).toEqual([]);
    const moved = (await allEvents(gala, workspace.id)).filter(
      ({ type, previous }) => type === 'lead.assigned' && previous.ownerId === leaver.id,
    );
    expect(new Set(moved.map(({ data }) => data.id)).size).toBe(1201);
    expect(moved).toHaveLength(1201);
  });

  test('those that get another owner while a step waits for them leave the others to the next step', async () => {
    const step = jest.spyOn(get(EndMembership), 'step').mockRejectedValue(new Error('away'));
    await remove(heir.id);
    step.mockRestore();
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query(
        `UPDATE leads SET owner_id = $3 WHERE workspace_id = $1 AND id IN (
           SELECT id FROM leads WHERE workspace_id = $1 AND owner_id = $2 ORDER BY created_at, id LIMIT 500)`,
        [workspace.id, leaver.id, owner.id].map((id) => toUuid(id)),
      );
      const job = get(HandOverJob).runAll();
      await eventually(async () => expect(await waiting()).not.toEqual([]));
      await connection.query('COMMIT');
      await job;
    });
    await get(HandOverJob).runAll();
    expect([await ownedBy(heir.id), await ownedBy('none'), await leaving()]).toEqual([701, 0, []]);
  });

  test('several instances that move them at once move each once', async () => {
    await remove(heir.id);
    const jobs = Array.from({ length: 4 }, () => get(HandOverJob).runAll());
    await Promise.all(jobs);
    await get(HandOverJob).runAll();
    expect([await ownedBy(heir.id), await leaving()]).toEqual([1201, []]);
    const moved = (await allEvents(gala, workspace.id)).filter(
      ({ type, previous }) => type === 'lead.assigned' && previous.ownerId === leaver.id,
    );
    expect(moved).toHaveLength(1201);
  });

  test('what one step moves is undone when it fails, and moved by the next', async () => {
    const step = jest.spyOn(get(EndMembership), 'step').mockRejectedValue(new Error('away'));
    await remove(heir.id);
    step.mockRestore();
    expect(await ownedBy(leaver.id)).toBe(1201);
    await get(HandOverJob).runAll();
    expect(await ownedBy(heir.id)).toBe(1201);
  });

  test('they have no access any more, own nothing new, and are told to be leaving', async () => {
    await remove(heir.id);
    expect((await get(Members).list(workspace.id)).members.map(({ userId }) => userId)).not.toContain(
      leaver.id,
    );
    expect(await get(Members).membershipOf(workspace.id, leaver.id)).toBeUndefined();
    expect(await get(Members).workspacesOf(leaver.id)).toEqual([]);
    const answer = await client.post('/v1/leads', { email: 'new@example.com', ownerId: leaver.id });
    expect(answer).toMatchObject({ status: 422, body: { error: { field: 'ownerId' } } });
    const { data } = (await client.get('/v1/members')).body;
    expect(data.find(({ id }: any) => id === leaver.id)).toMatchObject({ isLeaving: true });
    await expect(remove(heir.id)).rejects.toThrow('member');
  });

  test('someone who is invited again meanwhile keeps what is left', async () => {
    await remove(heir.id);
    const input = { email: leaver.name, role: 'admin' } as const;
    const { token } = await get(InviteMember).execute(workspace.id, owner, input);
    const user = await get(Accounts).findOrAdd(leaver.name);
    await get(AcceptInvitation).execute(token, user, ADDRESS);
    await get(HandOverJob).runAll();
    expect([await ownedBy(leaver.id), await ownedBy(heir.id)]).toEqual([201, 1000]);
    expect(await get(Members).membershipOf(workspace.id, leaver.id)).toMatchObject({ role: 'admin' });
  });

  test('a successor who leaves as well gets no more', async () => {
    await remove(heir.id);
    await get(RemoveMember).execute(workspace.id, owner, heir.id);
    await get(HandOverJob).runAll();
    expect([await ownedBy(leaver.id), await ownedBy(heir.id), await ownedBy('none')]).toEqual([0, 0, 1201]);
    expect(await leaving()).toEqual([]);
  });
});

test('the job takes a step for each leaving member in turn', async () => {
  await manyLeads(2100);
  const others = await gala.createWorkspace();
  const other = await memberOf(gala, others.id, newEmail(), 'member');
  await createLead(await others.client(), { ownerId: other.id });
  const step = jest.spyOn(get(EndMembership), 'step').mockRejectedValue(new Error('away'));
  await remove(heir.id);
  await get(RemoveMember).execute(others.id, owner, other.id);
  step.mockRestore();
  const steps = jest.spyOn(get(EndMembership), 'step');
  await get(HandOverJob).runAll();
  const order = steps.mock.calls.map(([, userId]) => userId);
  steps.mockRestore();
  expect(order.slice(0, 4)).toEqual([leaver.id, other.id, leaver.id, other.id]);
  expect([await ownedBy(heir.id), await leaving()]).toEqual([2100, []]);
});

test('nothing is taken from a member any more once they have accepted another invitation', async () => {
  await manyLeads(1801);
  const input = { email: leaver.name, role: 'member' } as const;
  await remove(heir.id);
  const { token } = await get(InviteMember).execute(workspace.id, owner, input);
  const browser = await browserOf(gala, leaver.name);
  const page = `/invitations/${token}`;
  let leftAtAnswer: number | undefined;
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(
      'SELECT FROM leads WHERE workspace_id = $1 AND owner_id = $2 FOR UPDATE',
      [workspace.id, leaver.id].map((id) => toUuid(id)),
    );
    const job = get(HandOverJob).runAll();
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    const accepted = browser.submit(page, {}, { on: page }).then(async ({ status }) => {
      leftAtAnswer = await ownedBy(leaver.id);
      return status;
    });
    await eventually(async () => expect(leftAtAnswer ?? (await waiting()).length).not.toBe(1));
    await connection.query('COMMIT');
    await job;
    expect(await accepted).toBe(303);
  });
  expect(leftAtAnswer).toBeGreaterThan(0);
  expect([await ownedBy(leaver.id), await ownedBy(heir.id)]).toEqual([leftAtAnswer, 1801 - leftAtAnswer!]);
  expect(await get(Members).membershipOf(workspace.id, leaver.id)).toMatchObject({ role: 'member' });
});

/** Someone who joins a workspace of another owner. */
async function anyMemberOf(workspaceId: typeof workspace.id): Promise<UserId> {
  const { id } = await get(Accounts).findOrAdd(newEmail());
  await sql(
    gala.databaseUrl,
    `INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`,
    [toUuid(workspaceId), toUuid(id)],
  );
  return id;
}

test('apps that a member let in end at once, also while leads are handed over', async () => {
  const app = await newApp(gala);
  const { workspaceId, email } = app.owner;
  const tokens = await app.install({ scope: SCOPES.join(' ') });
  const colleague = await anyMemberOf(workspaceId);
  const reader = app.as(tokens);
  expect((await reader.get('/v1/me')).status).toBe(200);
  const person = await get(Accounts).findOrAdd(email);
  await sql(
    gala.databaseUrl,
    `UPDATE memberships SET leaving_at = now(), removed_by = $2 WHERE workspace_id = $1 AND user_id = $3`,
    [toUuid(workspaceId), toUuid(colleague), toUuid(person.id)],
  );
  expect(
    await sql(gala.databaseUrl, 'SELECT FROM oauth_grants WHERE user_id = $1', [toUuid(person.id)]),
  ).toEqual([]);
  await expect(
    sql(
      gala.databaseUrl,
      `INSERT INTO calendar_feeds (workspace_id, mode, user_id, hash, created_at) VALUES ($1, 'live', $2, 'x', now())`,
      [toUuid(workspaceId), toUuid(person.id)],
    ),
  ).rejects.toThrow('the member has left');
});

test('the page of a removal asks who takes over', async () => {
  await createLead(client, { ownerId: leaver.id });
  const browser = await workspace.browser();
  const page = `/settings/${workspace.id}/members/${leaver.id}/remove`;
  const { text } = await browser.get(page);
  expect(text).toContain('Who takes over');
  expect(text).not.toContain(`<option value="${leaver.id}"`);
  expect((await browser.submit(page, { successor: leaver.id }, { on: page })).status).toBe(422);
  expect((await browser.submit(page, { successor: heir.id }, { on: page })).status).toBe(303);
  expect(await ownedBy(heir.id)).toBe(1);
});
