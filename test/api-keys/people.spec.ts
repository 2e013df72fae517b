import { Clock } from '../../src/kernel/clock';
import { NotFound, ValidationFailed } from '../../src/kernel/errors';
import type { ApiKeyId } from '../../src/kernel/ids';
import type { WorkspaceRef } from '../../src/kernel/principal';
import type { Person } from '../../src/kernel/actor';
import { CreateApiKey, RevokeApiKey, RotateApiKey, WorkspaceApiKeys } from '../../src/modules/api-keys';
import { toPageRequest } from '../../src/platform/http/page-query';
import { auditRecords, auditSummaries } from '../audit-log/records';
import { idOf, makeKey, rotateKey } from '../support/api-keys';
import { eventsOf } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';

const clock = new FakeClock();
let gala: TestGala;
let owner: Person;
let workspace: TestWorkspace;
let ref: WorkspaceRef;
let create: CreateApiKey, rotate: RotateApiKey, revoke: RevokeApiKey, keys: WorkspaceApiKeys;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
  [create, rotate, revoke, keys] = [
    get(CreateApiKey),
    get(RotateApiKey),
    get(RevokeApiKey),
    get(WorkspaceApiKeys),
  ];
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  owner = await ownerOf(gala);
  ref = { workspaceId: workspace.id, mode: 'live' };
});

const issue = (fields: object = {}, of = ref) =>
  create.byPerson(of, owner, { name: 'Website form', scopes: ['leads:read'], expiresAt: null, ...fields });
const clientOf = (token: string) => new Client(gala.baseUrl, token);
const works = async (token: string) => (await clientOf(token).get('/v1/me')).status === 200;
const only = { andDescendants: false };
const listRequest = (query = {}) =>
  toPageRequest(query, {
    list: 'api-keys',
    sort: { field: 'createdAt', descending: true },
    kind: 'instant',
    idPrefix: 'key',
  });

describe('a person', () => {
  test('makes a key, which works at once and names its maker', async () => {
    const { key, token } = await issue();
    expect((await clientOf(token).get('/v1/me')).body.credential).toMatchObject({
      id: key.id,
      scopes: ['leads:read'],
    });
    const { body } = await clientOf(token).get(`/v1/api-keys/${key.id}`);
    expect(body).toMatchObject({ createdBy: owner.id, name: 'Website form' });
    expect(await eventsOf(gala, key.id)).toMatchObject([
      { type: 'api_key.created', data: { createdBy: owner.id } },
    ]);
  });

  test('may give no scope that there isn’t, and no end that has passed', () => {
    expect(() => issue({ scopes: ['leads:reed'] })).toThrow(ValidationFailed);
    return expect(issue({ expiresAt: clock.now() })).rejects.toThrow(ValidationFailed);
  });

  test('rotates a key', async () => {
    const { key, token } = await issue();
    const next = await rotate.byPerson(ref, owner, key.id, 60);
    expect(next.key.view()).toMatchObject({
      createdBy: owner.id,
      name: 'Website form',
      scopes: ['leads:read'],
    });
    expect([await works(token), await works(next.token)]).toEqual([true, true]);
    await expect(rotate.byPerson(ref, owner, key.id, 60)).rejects.toThrow(ValidationFailed);
    const last = await rotate.byPerson(ref, owner, next.key.id, 0);
    expect([await works(next.token), await works(last.token)]).toEqual([false, true]);
  });

  test('revokes a key, at once and once', async () => {
    const { key, token } = await issue();
    const child = await makeKey(clientOf(token));
    const [revoked, ...others] = await revoke.byPerson(ref, owner, key.id, only);
    expect(revoked).toMatchObject({ id: key.id, revokedAt: clock.now() });
    expect(others).toEqual([]);
    expect([await works(token), await works(child.secret)]).toEqual([false, true]);
    expect(await revoke.byPerson(ref, owner, key.id, only)).toEqual([]);
    expect((await eventsOf(gala, key.id)).map(({ type }) => type)).toEqual([
      'api_key.created',
      'api_key.revoked',
    ]);
  });

  test('finds nothing in another workspace, nor in the other mode', async () => {
    const { key, token } = await issue();
    const elsewhere: WorkspaceRef[] = [
      { workspaceId: (await gala.createWorkspace()).id, mode: 'live' },
      { ...ref, mode: 'test' },
    ];
    for (const other of elsewhere) {
      await expect(rotate.byPerson(other, owner, key.id, 0)).rejects.toThrow(NotFound);
      await expect(revoke.byPerson(other, owner, key.id, only)).rejects.toThrow(NotFound);
      await expect(revoke.byPerson(other, owner, key.id, { andDescendants: true })).rejects.toThrow(NotFound);
      await expect(keys.get(other, key.id)).rejects.toThrow(NotFound);
      expect((await keys.list(other, listRequest())).data).toEqual([]);
    }
    expect(await works(token)).toBe(true);
  });
});

describe('people see', () => {
  test('all keys of a mode, newest first, whoever made them', async () => {
    const ofOperator = await idOf(await workspace.client());
    await workspace.client('test');
    clock.advance(1);
    const { key, token } = await issue();
    clock.advance(1);
    const made = await makeKey(clientOf(token));
    const page = await keys.list(ref, listRequest());
    expect(page.data.map(({ id, parentId, createdBy }) => ({ id, parentId, createdBy }))).toEqual([
      { id: made.view.id, parentId: key.id, createdBy: key.id },
      { id: key.id, parentId: null, createdBy: owner.id },
      { id: ofOperator, parentId: null, createdBy: null },
    ]);
    expect(JSON.stringify(page)).not.toMatch(/hash|gala_live/);
    const first = await keys.list(ref, listRequest({ limit: '2' }));
    const rest = await keys.list(ref, listRequest({ limit: '2', cursor: first.pagination.nextCursor }));
    expect([...first.data, ...rest.data]).toEqual(page.data);
  });

  test('a key’s maker, parent and descendants', async () => {
    const root = await issue();
    const a = await makeKey(clientOf(root.token), { name: 'a' });
    const a1 = await makeKey(a.client, { name: 'a1' });
    const b = await makeKey(clientOf(root.token), { name: 'b' });
    const b1 = await makeKey(b.client, { name: 'b1', expiresAt: clock.in(60) });
    const lineage = await keys.get(ref, root.key.id);
    expect(lineage).toMatchObject({ key: { id: root.key.id }, parent: null, maker: null });
    expect(lineage.descendants.map(({ name, depth }) => [name, depth])).toEqual([
      ['a', 1],
      ['a1', 2],
      ['b', 1],
      ['b1', 2],
    ]);
    await revoke.byPerson(ref, owner, a.view.id as ApiKeyId, only);
    clock.advance(60);
    expect((await keys.get(ref, root.key.id)).descendants.map(({ name, depth }) => [name, depth])).toEqual([
      ['a1', 2],
      ['b', 1],
    ]);
    expect(await keys.get(ref, a1.view.id as ApiKeyId)).toMatchObject({
      parent: { id: a.view.id },
      maker: { id: a.view.id },
      descendants: [],
    });
    expect(await keys.get(ref, b1.view.id as ApiKeyId)).toMatchObject({ key: { parentId: b.view.id } });
  });

  test('that a rotated key descends from its successor, and who rotated it', async () => {
    const root = await issue();
    const old = await makeKey(clientOf(root.token));
    const next = await rotateKey(old.client, old.view.id, 60);
    expect(await keys.get(ref, next.view.id as ApiKeyId)).toMatchObject({
      parent: { id: root.key.id },
      maker: { id: old.view.id },
      descendants: [{ id: old.view.id, depth: 1 }],
    });
  });
});

describe('the audit log tells', () => {
  test('of everything that was done to keys: by people, by keys and by the operator', async () => {
    const { key, token } = await issue();
    const made = await makeKey(clientOf(token), { name: 'Made', scopes: [], expiresAt: clock.in(90) });
    const next = await rotateKey(clientOf(token), made.view.id, 60);
    await clientOf(token).delete(`/v1/api-keys/${next.view.id}`);
    await rotate.byPerson(ref, owner, key.id, 0);
    await revoke.byOperator(ref, made.view.id as ApiKeyId);
    const caller = {
      type: 'api_key',
      id: key.id,
      name: 'Website form',
      address: expect.stringMatching(/127\.0\.0\.1$/),
    };
    const operator = { type: 'operator', id: null, name: 'Operator', address: null };
    const records = (await auditRecords(gala, workspace.id)).reverse();
    expect(
      records.map(({ summary, actor, target, details, mode }) => ({
        summary,
        actor,
        id: target.id,
        details,
        mode,
      })),
    ).toEqual(
      [
        ['Created the API key Website form', owner, key.id, { scopes: ['leads:read'], expiresAt: null }],
        ['Created the API key Made', caller, made.view.id, { scopes: [], expiresAt: clock.in(90) }],
        ['Rotated the API key Made', caller, made.view.id, { successorId: next.view.id, graceSeconds: 60 }],
        ['Revoked the API key Made', caller, next.view.id, {}],
        [
          'Rotated the API key Website form',
          owner,
          key.id,
          { successorId: expect.any(String), graceSeconds: 0 },
        ],
        ['Revoked the API key Made', operator, made.view.id, {}],
      ].map(([summary, actor, id, details]) => ({ summary, actor, id, details, mode: 'live' })),
    );
    const text = JSON.stringify(records);
    for (const secret of [token, made.secret, next.secret]) expect(text).not.toContain(secret.slice(10, 42));
  });

  test('of the sandbox, that it is', async () => {
    await issue({}, { ...ref, mode: 'test' });
    expect((await auditRecords(gala, workspace.id)).map(({ mode }) => mode)).toEqual(['test']);
  });

  test('nothing of what was refused or changed nothing', async () => {
    const { key, token } = await issue();
    await revoke.byPerson(ref, owner, key.id, only);
    const before = await auditSummaries(gala, workspace.id);
    await revoke.byPerson(ref, owner, key.id, only);
    await revoke.byOperator(ref, key.id);
    await clientOf(token).delete(`/v1/api-keys/${key.id}`);
    await expect(rotate.byPerson(ref, owner, key.id, 0)).rejects.toThrow(ValidationFailed);
    const { token: other } = await issue();
    const { status } = await clientOf(other).post('/v1/api-keys', { name: 'x', scopes: ['leads:write'] });
    expect(status).toBe(403);
    expect(await auditSummaries(gala, workspace.id)).toEqual(['Created the API key Website form', ...before]);
  });
});
