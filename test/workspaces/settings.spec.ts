import type { Person } from '../../src/kernel/actor';
import { Forbidden, NotFound, ValidationFailed } from '../../src/kernel/errors';
import { newId } from '../../src/kernel/ids';
import { ChangeWorkspace, CreateWorkspace, Members } from '../../src/modules/workspaces';
import { auditRecords } from '../audit-log/records';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ADDRESS, memberOf, ownerOf, person } from './people';

let gala: TestGala;
let workspace: TestWorkspace;
let owner: Person;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  owner = await ownerOf(gala);
});

const initial = { name: 'Test', timeZone: 'Europe/Madrid', currency: 'EUR' };
const change = (actor: Person, fields: object = {}, id = workspace.id) =>
  gala.app.get(ChangeWorkspace, { strict: false }).execute(id, actor, { ...initial, ...fields });
const shown = async () => (await (await workspace.client()).get('/v1/me')).body.workspace;
const updates = async () =>
  (await auditRecords(gala, workspace.id)).filter(({ action }) => action === 'workspace.updated');

test('owners and admins change them, and the API shows it', async () => {
  const changed = await change(owner, { name: 'Océano 😀', currency: 'JPY' });
  expect(changed).toMatchObject({ name: 'Océano 😀', timeZone: 'Europe/Madrid', currency: 'JPY' });
  expect(await shown()).toMatchObject({ id: workspace.id, name: 'Océano 😀', currency: 'JPY' });
  const admin = await memberOf(gala, workspace.id, 'admin@example.com', 'admin');
  await change(admin, { timeZone: 'America/Bogota' });
  expect(await shown()).toMatchObject({ ...initial, timeZone: 'America/Bogota' });
});

test('the audit log tells what changed from what to what', async () => {
  await change(owner, { name: 'Garden Events', timeZone: 'Europe/Paris' });
  expect(await updates()).toEqual([
    expect.objectContaining({
      summary: 'Changed the settings of Garden Events',
      actor: { type: 'user', id: owner.id, name: 'owner@example.com', address: ADDRESS },
      target: { id: workspace.id, name: 'Garden Events' },
      mode: null,
      details: {
        name: 'Garden Events',
        previousName: 'Test',
        timeZone: 'Europe/Paris',
        previousTimeZone: 'Europe/Madrid',
      },
    }),
  ]);
});

test('and nothing where nothing changed', async () => {
  await change(owner);
  expect(await updates()).toEqual([]);
});

test('members and strangers may not', async () => {
  const member = await memberOf(gala, workspace.id, 'member@example.com', 'member');
  await expect(change(member, { name: 'Mine' })).rejects.toThrow(Forbidden);
  const other = await gala.createWorkspace();
  const stranger = await memberOf(gala, other.id, 'stranger@example.com', 'admin');
  await expect(change(stranger, { name: 'Mine' })).rejects.toThrow(NotFound);
  await expect(change(owner, {}, newId('ws'))).rejects.toThrow(NotFound);
  expect((await shown()).name).toBe('Test');
});

test('what is wrong is named, and nothing changes', async () => {
  const refusal: unknown = await change(owner, { name: ' ', timeZone: 'Madrid', currency: 'eur' }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(ValidationFailed);
  expect((refusal as ValidationFailed).details.map(({ field }) => field)).toEqual([
    'name',
    'timeZone',
    'currency',
  ]);
  expect(await shown()).toMatchObject(initial);
});

describe('who is let in where', () => {
  const members = () => gala.app.get(Members, { strict: false });

  test('the workspaces of someone, by name, with their role', async () => {
    const create = gala.app.get(CreateWorkspace, { strict: false });
    const names = ['banana', 'Ángel', 'Cherry'];
    for (const name of names) await create.execute({ ...initial, name, ownerEmail: 'Multi@example.com' });
    const multi = await person(gala, 'multi@EXAMPLE.com');
    expect(multi.name).toBe('Multi@example.com');
    await memberOf(gala, workspace.id, 'multi@example.com', 'member');
    const memberships = await members().workspacesOf(multi.id);
    expect(memberships.map(({ workspace: { name }, role }) => [name, role])).toEqual([
      ['Ángel', 'owner'],
      ['banana', 'owner'],
      ['Cherry', 'owner'],
      ['Test', 'member'],
    ]);
    for (const membership of memberships) {
      expect(await members().membershipOf(membership.workspace.id, multi.id)).toEqual(membership);
    }
    expect(memberships.at(-1)!.workspace).toEqual({
      id: workspace.id,
      createdAt: expect.any(Date),
      ...initial,
      locale: 'en-GB',
    });
  });

  test('nobody else', async () => {
    const stranger = await person(gala, 'nobody@example.com');
    expect(await members().workspacesOf(stranger.id)).toEqual([]);
    expect(await members().membershipOf(workspace.id, stranger.id)).toBeUndefined();
    expect(await members().membershipOf(newId('ws'), owner.id)).toBeUndefined();
    expect(await members().membershipOf(workspace.id, newId('user'))).toBeUndefined();
  });
});
