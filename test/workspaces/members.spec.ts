import type { Person } from '../../src/kernel/actor';
import { Forbidden, NotFound, ValidationFailed } from '../../src/kernel/errors';
import { newId, toUuid, type UserId } from '../../src/kernel/ids';
import type { Role } from '../../src/kernel/role';
import { ChangeMemberRole, Members, RemoveMember } from '../../src/modules/workspaces';
import { auditRecords } from '../audit-log/records';
import { onConnection } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf, ownerOf } from './people';

let gala: TestGala;
let workspace: TestWorkspace;
let owner: Person, admin: Person, member: Person;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  owner = await ownerOf(gala);
  admin = await memberOf(gala, workspace.id, 'admin@example.com', 'admin');
  member = await memberOf(gala, workspace.id, 'member@example.com', 'member');
});

const change = (actor: Person, userId: UserId, role: Role, id = workspace.id) =>
  gala.app.get(ChangeMemberRole, { strict: false }).execute(id, actor, userId, role);
const remove = (actor: Person, userId: UserId, id = workspace.id) =>
  gala.app.get(RemoveMember, { strict: false }).execute(id, actor, userId);
const roles = async (id = workspace.id) => {
  const { members } = await gala.app.get(Members, { strict: false }).list(id);
  return Object.fromEntries(members.map(({ email, role }) => [email.split('@')[0], role]));
};
const newest = async () => (await auditRecords(gala, workspace.id))[0]!;

test('the list shows everyone with their role, by e-mail address', async () => {
  expect(await gala.app.get(Members, { strict: false }).list(workspace.id)).toEqual({
    members: [
      { userId: admin.id, email: 'admin@example.com', role: 'admin', isPaused: false },
      { userId: member.id, email: 'member@example.com', role: 'member', isPaused: false },
      { userId: owner.id, email: 'owner@example.com', role: 'owner', isPaused: false },
    ],
    invitations: [],
  });
});

describe('changing a role', () => {
  test('takes effect at once, and the audit log tells who did it', async () => {
    await change(admin, member.id, 'admin');
    expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'admin' });
    expect(await newest()).toMatchObject({
      summary: 'Changed the role of member@example.com from member to admin',
      actor: admin,
      target: { id: member.id, name: 'member@example.com' },
      details: { role: 'admin', previousRole: 'member' },
    });
  });

  test('owners make owners, and unmake them', async () => {
    await change(owner, admin.id, 'owner');
    await change(admin, owner.id, 'member');
    expect(await roles()).toEqual({ owner: 'member', admin: 'owner', member: 'member' });
  });

  test.each([
    ['an admin makes nobody an owner', () => change(admin, member.id, 'owner')],
    ['not even themselves', () => change(admin, admin.id, 'owner')],
    ['nor an owner something else', () => change(admin, owner.id, 'member')],
    ['a member changes nobody', () => change(member, admin.id, 'member')],
    ['nor themselves', () => change(member, member.id, 'admin')],
    ['nor learns who belongs to it', () => change(member, newId('user'), 'admin')],
  ])('%s', async (_, attempt) => {
    const before = await newest();
    await expect(attempt()).rejects.toThrow(Forbidden);
    expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member' });
    expect(await newest()).toEqual(before);
  });

  test('to what it is already changes nothing', async () => {
    const before = await newest();
    await change(owner, owner.id, 'owner');
    await change(admin, member.id, 'member');
    expect(await newest()).toEqual(before);
  });
});

describe('removing', () => {
  test('shuts the member out, and the audit log tells who did it', async () => {
    await remove(admin, member.id);
    expect(await roles()).toEqual({ owner: 'owner', admin: 'admin' });
    expect(await newest()).toMatchObject({
      summary: 'Removed member@example.com from the workspace',
      actor: admin,
      details: { role: 'member' },
    });
    await expect(remove(admin, member.id)).rejects.toThrow(NotFound);
    await expect(change(member, member.id, 'member')).rejects.toThrow(NotFound);
  });

  test('oneself is to leave, which everyone may', async () => {
    await remove(member, member.id);
    expect(await newest()).toMatchObject({ summary: 'Left the workspace', actor: member });
    await remove(admin, admin.id);
    expect(await roles()).toEqual({ owner: 'owner' });
  });

  test('an admin removes no owner, a member nobody', async () => {
    await expect(remove(admin, owner.id)).rejects.toThrow(Forbidden);
    await expect(remove(member, admin.id)).rejects.toThrow(Forbidden);
    await expect(remove(member, newId('user'))).rejects.toThrow(Forbidden);
    expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member' });
  });
});

test('other workspaces are not there', async () => {
  const other = await gala.createWorkspace();
  const stranger = await memberOf(gala, other.id, 'stranger@example.com', 'owner');
  for (const attempt of [
    () => change(stranger, member.id, 'admin'),
    () => remove(stranger, member.id),
    () => change(stranger, member.id, 'admin', other.id),
    () => remove(stranger, member.id, other.id),
    () => remove(stranger, stranger.id),
    () => remove(owner, owner.id, newId('ws')),
  ]) {
    await expect(attempt()).rejects.toThrow(NotFound);
  }
  expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member' });
});

describe('a workspace keeps an owner', () => {
  const outcome = async (...attempts: Promise<void>[]) =>
    (await Promise.allSettled(attempts)).map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as Error).constructor,
    );
  const owners = async () => Object.values(await roles()).filter((role) => role === 'owner').length;

  test('the last one neither leaves nor steps down', async () => {
    expect(await outcome(remove(owner, owner.id), change(owner, owner.id, 'admin'))).toEqual([
      ValidationFailed,
      ValidationFailed,
    ]);
    expect(await owners()).toBe(1);
  });

  test('of two who demote each other at the same moment one stays', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [owner, await memberOf(gala, workspace.id, `rival${round}@example.com`, 'owner')];
      const results = await outcome(change(one, other.id, 'member'), change(other, one.id, 'member'));
      expect(results).toContain('done');
      expect(results).toContain(Forbidden);
      expect(await owners()).toBe(1);
      workspace = await gala.createWorkspace();
    }
  });

  test('of several who leave at the same moment one stays', async () => {
    const all = [owner];
    for (const name of ['a', 'b', 'c', 'd'])
      all.push(await memberOf(gala, workspace.id, `${name}@example.com`, 'owner'));
    const results = await outcome(...all.map((each) => remove(each, each.id)));
    expect(results.filter((result) => result === 'done')).toHaveLength(4);
    expect(await owners()).toBe(1);
  });

  test('one who was demoted a moment ago does nothing more', async () => {
    const rival = await memberOf(gala, workspace.id, 'rival@example.com', 'owner');
    const attempt = await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      const ids = [toUuid(workspace.id), toUuid(rival.id)];
      await connection.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [ids[0]]);
      const waiting = remove(rival, owner.id);
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await connection.query(
        `UPDATE memberships SET role = 'member' WHERE workspace_id = $1 AND user_id = $2`,
        ids,
      );
      await connection.query('COMMIT');
      return { waiting };
    });
    await expect(attempt.waiting).rejects.toThrow(Forbidden);
    expect(await roles()).toMatchObject({ owner: 'owner', rival: 'member' });
  });
});
