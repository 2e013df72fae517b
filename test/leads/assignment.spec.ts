import type { Person } from '../../src/kernel/actor';
import { PauseMember, RemoveMember } from '../../src/modules/workspaces';
import { Database } from '../../src/platform/persistence/database';
import { auditRecords } from '../audit-log/records';
import { eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { assignTo, newMembers, spreadOf } from './assignment-support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let members: Person[];
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  members = await newMembers(gala, workspace, 3);
});

const ownersOf = async (count: number) => {
  const owners: (string | null)[] = [];
  while (owners.length < count) owners.push((await createLead(client)).ownerId);
  return owners;
};
const pause = async (member: Person, isPaused: boolean) =>
  gala.app.get(PauseMember, { strict: false }).execute(workspace.id, member, member.id, isPaused);

describe('members in turn', () => {
  test('get new leads one after the other, and the events tell it', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    const owners = await ownersOf(7);
    expect(owners.slice(0, 3).toSorted()).toEqual(members.map(({ id }) => id).toSorted());
    expect(owners.slice(3)).toEqual(owners.slice(0, 4));
    const lead = await createLead(client);
    const events = await eventsOf(gala, lead.id);
    expect(events.map(({ type, data }) => [type, data.ownerId])).toEqual([
      ['lead.created', lead.ownerId],
      ['lead.assigned', lead.ownerId],
    ]);
  });

  test('differ by at most one, however many create at once', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    const writers = await Promise.all(Array.from({ length: 8 }, () => workspace.client()));
    const leads = await Promise.all(
      Array.from({ length: 100 }, (_, number) => createLead(writers[number % 8]!)),
    );
    const spread = spreadOf(
      members,
      leads.map(({ ownerId }) => ownerId),
    );
    expect(spread.toSorted()).toEqual([33, 33, 34]);
  });

  test('miss no turn for a lead that isn’t created in the end', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    const [first] = await ownersOf(1);
    const body = { email: 'ana@example.com' };
    for (let times = 0; times < 2; times++)
      await client.post('/v1/leads', body, { headers: { 'Idempotency-Key': 'once' } });
    expect((await client.post('/v1/leads', { ...body, guests: 0 })).status).toBe(422);
    const [third] = await ownersOf(1);
    const [fourth] = await ownersOf(1);
    expect(new Set([first, third]).size).toBe(2);
    expect(fourth).toBe(first);
  });

  test('are passed over while they are paused, and get one turn when they are back, not all that they missed', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    await ownersOf(3);
    const [away] = members as [Person];
    await pause(away, true);
    expect(spreadOf(members, await ownersOf(6))).toEqual([0, 3, 3]);
    await pause(away, false);
    expect((await ownersOf(1))[0]).toBe(away.id);
    expect(spreadOf(members, await ownersOf(6))).toEqual([2, 2, 2]);
  });

  test('are nobody while all are paused', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    for (const member of members) await pause(member, true);
    expect(await ownersOf(2)).toEqual([null, null]);
  });

  test('lose one who leaves, and keep their turns when others are chosen', async () => {
    await assignTo(gala, workspace, 'round_robin', members);
    await ownersOf(4);
    const [, leaver, last] = members as [Person, Person, Person];
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, await ownerOf(gala), leaver.id);
    expect(spreadOf(members, await ownersOf(4))).toEqual([2, 0, 2]);
    const [newcomer] = (await newMembers(gala, workspace, 1)) as [Person];
    await assignTo(gala, workspace, 'round_robin', [newcomer, last]);
    expect(spreadOf([newcomer, last], await ownersOf(4))).toEqual([2, 2]);
  });
});

test('one member gets all, until they are paused', async () => {
  const [only] = members as [Person];
  await assignTo(gala, workspace, 'fixed', [only]);
  expect(await ownersOf(3)).toEqual([only.id, only.id, only.id]);
  await pause(only, true);
  expect(await ownersOf(1)).toEqual([null]);
});

test('a lead that comes with an owner keeps them, and takes nobody’s turn', async () => {
  await assignTo(gala, workspace, 'round_robin', members);
  const [first] = await ownersOf(1);
  const owner = await ownerOf(gala);
  expect((await createLead(client, { ownerId: owner.id })).ownerId).toBe(owner.id);
  const next = await ownersOf(3);
  expect(next[2]).toBe(first);
});

test('each mode and workspace has its own assignment, and no lead is given to anyone by default', async () => {
  await assignTo(gala, workspace, 'fixed', members.slice(0, 1), 'test');
  expect(await ownersOf(1)).toEqual([null]);
  expect((await createLead(await workspace.client('test'))).ownerId).toBe(members[0]!.id);
  expect((await createLead(await (await gala.createWorkspace()).client('test'))).ownerId).toBeNull();
});

test('turned off, it gives no more leads, and the former members are still chosen', async () => {
  await assignTo(gala, workspace, 'round_robin', members);
  await assignTo(gala, workspace, 'none', members);
  expect(await ownersOf(1)).toEqual([null]);
  const page = await (await workspace.browser()).get(`/settings/${workspace.id}/live/assignment`);
  expect(page.text.match(/name="members"[^>]* checked/g)).toHaveLength(3);
});

test('a workspace that assigns nothing pays with one statement in half a second', async () => {
  await createLead(client);
  const query = jest.spyOn(Database.prototype, 'query');
  const startedAt = performance.now();
  for (let times = 0; times < 5; times++) await createLead(client);
  const texts = query.mock.calls.map(([{ text }]) => text);
  query.mockRestore();
  const about = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
  expect(about(/INSERT INTO "leads"/)).toBe(5);
  expect(about(/lead_assign|memberships/)).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 500);
});

describe('on the page', () => {
  const path = (mode = 'live') => `/settings/${workspace.id}/${mode}/assignment`;

  test('admins choose who gets new leads, and the audit log tells it', async () => {
    const browser = await workspace.browser('admin');
    const form = { policy: 'round_robin', members: members.map(({ id }) => id) };
    const saved = await browser.submit(path(), form, { on: path() });
    expect(saved).toMatchObject({ status: 303 });
    expect(spreadOf(members, await ownersOf(3))).toEqual([1, 1, 1]);
    const { text } = await browser.get(path());
    expect(text).toMatch(/<option value="round_robin" selected/);
    expect((await auditRecords(gala, workspace.id))[0]).toMatchObject({
      summary: 'Changed who gets new leads',
      details: { policy: 'round_robin' },
    });
  });

  test.each([
    ['round_robin', []],
    ['fixed', []],
    ['fixed', [0, 1]],
    ['lottery', [0]],
  ])('%s of the members %j is refused', async (policy, chosen) => {
    const browser = await workspace.browser();
    const form = { policy, members: chosen.map((index) => members[index]!.id) };
    expect((await browser.submit(path(), form, { on: path() })).status).toBe(422);
    expect(await ownersOf(1)).toEqual([null]);
  });

  test('someone who left meanwhile is refused', async () => {
    const browser = await workspace.browser();
    const [leaver] = members as [Person];
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, await ownerOf(gala), leaver.id);
    const form = { policy: 'fixed', members: leaver.id };
    const answer = await browser.submit(path(), form, { on: path() });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('must be members of the workspace');
  });

  test('the sandbox’s assignment is copied to live mode', async () => {
    await assignTo(gala, workspace, 'fixed', members.slice(1, 2), 'test');
    const browser = await workspace.browser();
    expect((await browser.submit(`${path()}/copy`, {}, { on: path() })).status).toBe(303);
    expect(await ownersOf(1)).toEqual([members[1]!.id]);
    expect((await browser.get(path('test'))).text).not.toContain('/assignment/copy');
  });

  test('the sandbox’s assignment isn’t copied while its only member has left', async () => {
    const [leaver] = members as [Person];
    await assignTo(gala, workspace, 'fixed', [leaver], 'test');
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, await ownerOf(gala), leaver.id);
    const browser = await workspace.browser();
    const answer = await browser.submit(`${path()}/copy`, {}, { on: path() });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('There’s a problem with this form');
  });
});
