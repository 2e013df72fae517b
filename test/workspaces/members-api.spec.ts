import type { Person } from '../../src/kernel/actor';
import { Forbidden } from '../../src/kernel/errors';
import { PauseMember } from '../../src/modules/workspaces';
import { auditRecords } from '../audit-log/records';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf, ownerOf } from './people';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let owner: Person, admin: Person, member: Person;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  owner = await ownerOf(gala);
  admin = await memberOf(gala, workspace.id, 'admin@example.com', 'admin');
  member = await memberOf(gala, workspace.id, 'member@example.com', 'member');
});

const pause = (actor: Person, { id }: Person, isPaused = true) =>
  gala.app.get(PauseMember, { strict: false }).execute(workspace.id, actor, id, isPaused);
const pausedIn = async () =>
  (await client.get('/v1/members')).body.data
    .filter(({ isPaused }: any) => isPaused)
    .map(({ email }: any) => email);

test('members are listed by e-mail address, in both modes alike and page by page', async () => {
  const shown = { name: null, isPaused: false, isLeaving: false };
  const everyone = [
    { id: admin.id, email: 'admin@example.com', role: 'admin', ...shown },
    { id: member.id, email: 'member@example.com', role: 'member', ...shown },
    { id: owner.id, email: 'owner@example.com', role: 'owner', ...shown },
  ];
  for (const mode of ['live', 'test'] as const) {
    const { status, body } = await (await workspace.client(mode)).get('/v1/members');
    expect({ status, data: body.data, total: body.pagination.total }).toEqual({
      status: 200,
      data: everyone,
      total: 3,
    });
  }
  const walked: any[] = [];
  let cursor = '';
  do {
    const { body } = await client.get(`/v1/members?limit=1${cursor && `&cursor=${cursor}`}`);
    walked.push(...body.data);
    cursor = body.pagination.nextCursor ?? '';
  } while (cursor);
  expect(walked).toEqual(everyone);
});

test('the list needs a scope of its own, and shows nobody of another workspace', async () => {
  expectRefusal(await (await workspace.client('live', ['leads:read'])).get('/v1/members'), 403);
  const other = await gala.createWorkspace();
  const { data } = (await (await other.client('live', ['members:read'])).get('/v1/members')).body;
  expect(data.map(({ email }: any) => email)).toEqual(['owner@example.com']);
});

test('everyone pauses themselves, admins anyone, and the audit log tells it', async () => {
  await pause(member, member);
  await pause(admin, owner);
  expect(await pausedIn()).toEqual(['member@example.com', 'owner@example.com']);
  const records = await auditRecords(gala, workspace.id);
  expect(records.slice(0, 2).map(({ summary }) => summary)).toEqual([
    'Paused new leads for owner@example.com',
    'Paused new leads for member@example.com',
  ]);
  await pause(owner, owner, false);
  await pause(owner, owner, false);
  expect(await pausedIn()).toEqual(['member@example.com']);
  expect(await auditRecords(gala, workspace.id)).toHaveLength(records.length + 1);
});

test('a member can’t pause another one', async () => {
  await expect(pause(member, admin)).rejects.toThrow(Forbidden);
  expect(await pausedIn()).toEqual([]);
});

test('the page of the members has a button for it', async () => {
  const browser = await workspace.browser('admin');
  const page = `/settings/${workspace.id}/members`;
  expect((await browser.submit(`${page}/${member.id}/pause`, {}, { on: page })).status).toBe(303);
  expect((await browser.get(page)).text).toContain('Paused');
  expect(await pausedIn()).toEqual(['member@example.com']);
  expect((await browser.submit(`${page}/${member.id}/resume`, {}, { on: page })).status).toBe(303);
  expect(await pausedIn()).toEqual([]);
});
