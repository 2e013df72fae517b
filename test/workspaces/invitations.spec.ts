import type { Person } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { Forbidden, NotFound } from '../../src/kernel/errors';
import { newId, toUuid } from '../../src/kernel/ids';
import { Accounts } from '../../src/modules/accounts';
import type { Role } from '../../src/kernel/role';
import {
  AcceptInvitation,
  CancelInvitation,
  CreateWorkspace,
  InviteMember,
  Members,
} from '../../src/modules/workspaces';
import { auditRecords, auditSummaries } from '../audit-log/records';
import { FakeClock } from '../support/fake-clock';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ADDRESS, memberOf, ownerOf } from './people';

const WEEK = 7 * 24 * 3600;
const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let owner: Person, admin: Person, member: Person;
let members: Members;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  members = gala.app.get(Members, { strict: false });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace('Garden Events');
  owner = await ownerOf(gala);
  admin = await memberOf(gala, workspace.id, 'admin@example.com', 'admin');
  member = await memberOf(gala, workspace.id, 'member@example.com', 'member');
});

const invite = (actor: Person, email: string, role: Role = 'member', id = workspace.id) =>
  gala.app.get(InviteMember, { strict: false }).execute(id, actor, { email, role });
const cancel = (actor: Person, id: Parameters<CancelInvitation['execute']>[2], of = workspace.id) =>
  gala.app.get(CancelInvitation, { strict: false }).execute(of, actor, id);
const accept = async (token: string, email: string) => {
  const user = await gala.app.get(Accounts, { strict: false }).findOrAdd(email);
  return gala.app.get(AcceptInvitation, { strict: false }).execute(token, user, ADDRESS);
};
const pending = async () => (await members.list(workspace.id)).invitations.map(({ email }) => email);
const roleOf = async (email: string) =>
  (await members.list(workspace.id)).members.find((each) => each.email === email)?.role;
const emailRefusal = expect.objectContaining({ details: [expect.objectContaining({ field: 'email' })] });

describe('an invitation', () => {
  test('is listed, and its token shows what it offers', async () => {
    const { invitation, token } = await invite(admin, 'Ana@example.com', 'admin');
    expect((await members.list(workspace.id)).invitations).toEqual([
      {
        id: invitation.id,
        email: 'Ana@example.com',
        role: 'admin',
        inviterEmail: 'admin@example.com',
        createdAt: clock.now(),
        expiresAt: new Date(clock.in(WEEK)),
      },
    ]);
    expect(await members.findInvitation(token)).toEqual({
      workspaceName: 'Garden Events',
      email: 'Ana@example.com',
      role: 'admin',
      inviterEmail: 'admin@example.com',
      expiresAt: new Date(clock.in(WEEK)),
    });
    expect((await auditRecords(gala, workspace.id))[0]).toMatchObject({
      summary: 'Invited Ana@example.com as admin',
      actor: admin,
      target: { id: invitation.id },
    });
  });

  test('lets the invited in once, in whatever case they write their address', async () => {
    const { token } = await invite(owner, 'Bea@example.com', 'admin');
    expect(await accept(token, 'bea@EXAMPLE.com')).toEqual({ workspaceId: workspace.id, role: 'admin' });
    expect(await roleOf('bea@EXAMPLE.com')).toBe('admin');
    expect(await pending()).toEqual([]);
    const [record] = await auditRecords(gala, workspace.id);
    expect(record).toMatchObject({
      summary: 'Joined the workspace as admin',
      actor: { type: 'user', name: 'bea@EXAMPLE.com', address: ADDRESS },
      details: { role: 'admin' },
    });
    await expect(accept(token, 'bea@example.com')).rejects.toThrow(NotFound);
    expect(await members.findInvitation(token)).toBeUndefined();
  });

  test('is of no use to anybody else', async () => {
    const { token } = await invite(owner, 'carla@example.com');
    await expect(accept(token, 'mallory@example.com')).rejects.toThrow(Forbidden);
    expect(await roleOf('mallory@example.com')).toBeUndefined();
    expect(await accept(token, 'carla@example.com')).toMatchObject({ role: 'member' });
  });

  test('ends after a week', async () => {
    const { token, invitation } = await invite(owner, 'late@example.com');
    clock.advance(WEEK - 1);
    expect(await members.findInvitation(token)).toBeDefined();
    clock.advance(1);
    expect(await members.findInvitation(token)).toBeUndefined();
    expect(await pending()).toEqual([]);
    await expect(accept(token, 'late@example.com')).rejects.toThrow(NotFound);
    await expect(cancel(owner, invitation.id)).rejects.toThrow(NotFound);
    expect((await invite(owner, 'late@example.com')).token).not.toBe(token);
  });

  test.each(['', 'x', 'a'.repeat(43), '\0', '😀'])('%j is none', async (token) => {
    expect(await members.findInvitation(token)).toBeUndefined();
    await expect(accept(token, 'x@example.com')).rejects.toThrow(NotFound);
  });

  test('is kept as a hash of its token alone, there and in the audit log', async () => {
    const { token } = await invite(owner, 'hash@example.com');
    const rows = [
      ...(await sql(gala.databaseUrl, 'SELECT invitations::text AS row FROM invitations')),
      ...(await sql(gala.databaseUrl, 'SELECT audit_log::text AS row FROM audit_log')),
    ];
    const forms = [
      token,
      Buffer.from(token).toString('hex'),
      Buffer.from(token, 'base64url').toString('hex'),
    ];
    for (const { row } of rows) for (const form of forms) expect(row).not.toContain(form);
  });
});

describe('inviting again', () => {
  test('takes the place of the former invitation, whose link stops working', async () => {
    const former = await invite(owner, 'dora@example.com', 'member');
    const { token } = await invite(admin, 'DORA@example.com', 'admin');
    expect(await pending()).toEqual(['DORA@example.com']);
    await expect(accept(former.token, 'dora@example.com')).rejects.toThrow(NotFound);
    expect(await accept(token, 'dora@example.com')).toMatchObject({ role: 'admin' });
  });

  test('at the same moment leaves one of them', async () => {
    const invited = await Promise.all(Array.from({ length: 8 }, () => invite(owner, 'eva@example.com')));
    expect(await pending()).toEqual(['eva@example.com']);
    const offers = await Promise.all(invited.map(({ token }) => members.findInvitation(token)));
    expect(offers.filter(Boolean)).toHaveLength(1);
  });

  test('a member is refused', async () => {
    await expect(invite(owner, 'Member@Example.com')).rejects.toEqual(emailRefusal);
    await expect(invite(owner, owner.name)).rejects.toEqual(emailRefusal);
  });
});

test('a hundred may be pending, and not one more, also when several come at once', async () => {
  const emails = Array.from({ length: 98 }, (_, index) => `guest${index}@example.com`);
  for (const email of emails) await invite(owner, email);
  const results = await Promise.allSettled(
    ['w', 'x', 'y', 'z'].map((name) => invite(owner, `${name}@example.com`)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await pending()).toHaveLength(100);
  await expect(invite(owner, 'one-more@example.com')).rejects.toEqual(emailRefusal);
  await invite(owner, emails[0]!);
  clock.advance(WEEK);
  await invite(owner, 'one-more@example.com');
  const [left] = await sql(
    gala.databaseUrl,
    'SELECT count(*)::int FROM invitations WHERE workspace_id = $1',
    [toUuid(workspace.id)],
  );
  expect(left!.count).toBe(1);
});

describe('who may invite and cancel', () => {
  test('owners everyone, admins all but owners, members nobody', async () => {
    await invite(owner, 'o@example.com', 'owner');
    await invite(admin, 'a@example.com', 'admin');
    await expect(invite(admin, 'b@example.com', 'owner')).rejects.toThrow(Forbidden);
    await expect(invite(member, 'c@example.com', 'member')).rejects.toThrow(Forbidden);
    expect(await pending()).toEqual(['a@example.com', 'o@example.com']);
  });

  test('an admin can’t take back, nor replace, what an owner offered to an owner', async () => {
    const { invitation, token } = await invite(owner, 'o@example.com', 'owner');
    await expect(cancel(admin, invitation.id)).rejects.toThrow(Forbidden);
    await expect(invite(admin, 'o@example.com', 'member')).rejects.toThrow(Forbidden);
    expect(await members.findInvitation(token)).toMatchObject({ role: 'owner' });
  });

  test('a cancelled invitation is gone, and the audit log tells of it', async () => {
    const { invitation, token } = await invite(owner, 'gone@example.com');
    await expect(cancel(member, invitation.id)).rejects.toThrow(Forbidden);
    await cancel(admin, invitation.id);
    expect(await pending()).toEqual([]);
    await expect(accept(token, 'gone@example.com')).rejects.toThrow(NotFound);
    await expect(cancel(admin, invitation.id)).rejects.toThrow(NotFound);
    expect((await auditRecords(gala, workspace.id))[0]).toMatchObject({
      summary: 'Cancelled the invitation of gone@example.com',
      actor: admin,
    });
  });

  test('nobody in another workspace', async () => {
    const { invitation, token } = await invite(owner, 'here@example.com');
    const other = await gala.createWorkspace();
    const stranger = await memberOf(gala, other.id, 'stranger@example.com', 'owner');
    await expect(cancel(stranger, invitation.id)).rejects.toThrow(NotFound);
    await expect(cancel(stranger, invitation.id, other.id)).rejects.toThrow(NotFound);
    await expect(invite(stranger, 'x@example.com')).rejects.toThrow(NotFound);
    await expect(cancel(owner, newId('inv'))).rejects.toThrow(NotFound);
    expect(await members.findInvitation(token)).toBeDefined();
  });
});

describe('accepting', () => {
  test('at the same moment works once', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `racer${round}@example.com`;
      const { token } = await invite(owner, email);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => accept(token, email)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(NotFound);
      expect(await roleOf(email)).toBe('member');
    }
    const joined = (await auditSummaries(gala, workspace.id)).filter((line) => line.startsWith('Joined'));
    expect(joined).toHaveLength(2 + 5);
  });

  test('or cancelling at the same moment: one of the two', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `either${round}@example.com`;
      const { token, invitation } = await invite(owner, email);
      const results = await Promise.allSettled([accept(token, email), cancel(owner, invitation.id)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await roleOf(email)).toBe(results[0].status === 'fulfilled' ? 'member' : undefined);
    }
  });

  test.each([
    ['member', 'admin', 'admin'],
    ['owner', 'member', 'owner'],
    ['admin', 'admin', 'admin'],
  ] as const)('as %s when offered %s keeps the higher role', async (now, offered, kept) => {
    const email = 'late-owner@example.com';
    const { token } = await invite(owner, email, offered);
    const user = await gala.app.get(Accounts, { strict: false }).findOrAdd(email);
    // Members can't be invited; one can become a member by another way while an invitation waits.
    await sql(gala.databaseUrl, 'INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [
      toUuid(workspace.id),
      toUuid(user.id),
      now,
    ]);
    const before = await auditRecords(gala, workspace.id);
    expect(await accept(token, email)).toEqual({ workspaceId: workspace.id, role: kept });
    expect(await roleOf(email)).toBe(kept);
    expect(await pending()).toEqual([]);
    const told = (await auditSummaries(gala, workspace.id)).slice(0, -before.length);
    expect(told).toEqual(now === kept ? [] : [`Changed the role of ${email} from ${now} to ${kept}`]);
  });
});

test('the same address may be invited to several workspaces', async () => {
  const other = await gala.app
    .get(CreateWorkspace, { strict: false })
    .execute({ name: 'Other', ownerEmail: owner.name, timeZone: 'UTC', currency: 'EUR' });
  const [here, there] = [
    await invite(owner, 'gil@example.com'),
    await invite(owner, 'gil@example.com', 'admin', other.id),
  ];
  expect(await accept(there.token, 'gil@example.com')).toEqual({ workspaceId: other.id, role: 'admin' });
  expect(await accept(here.token, 'gil@example.com')).toEqual({ workspaceId: workspace.id, role: 'member' });
});
