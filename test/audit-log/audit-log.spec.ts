import type { Actor } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { AuditLog } from '../../src/modules/audit-log';
import { FakeClock } from '../support/fake-clock';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { auditPage, auditRecords, auditSummaries } from './records';

const clock = new FakeClock();
let gala: TestGala;
let log: AuditLog;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  log = gala.app.get(AuditLog, { strict: false });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
});

const actor: Actor = { type: 'user', id: 'user_1', name: 'ana@example.com', address: '2001:db8::7' };
const append = (name: string, details?: Record<string, string>) =>
  log.append({
    workspaceId: workspace.id,
    actor,
    action: 'member.removed',
    target: { id: 'user_2', name },
    details,
  });

test('says who did what to what, when and from where', async () => {
  const details = {
    scopes: ['leads:read', 'leads:write'],
    seconds: 0.5,
    done: true,
    none: null,
    text: '“é” 😀',
  };
  const target = { id: 'key_1', name: 'Website form' };
  await log.append({
    workspaceId: workspace.id,
    mode: 'test',
    actor,
    action: 'api_key.revoked',
    target,
    details,
  });
  expect(await auditRecords(gala, workspace.id)).toEqual([
    {
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      occurredAt: clock.now(),
      action: 'api_key.revoked',
      mode: 'test',
      actor,
      target,
      details,
      summary: 'Revoked the API key Website form',
      changes: expect.arrayContaining([{ field: 'Scopes', to: 'leads:read, leads:write' }]),
    },
  ]);
});

test('also what the operator does, and what concerns neither mode', async () => {
  const operator: Actor = { type: 'operator', id: null, name: 'Operator', address: null };
  const target = { id: null, name: 'Everything' };
  await log.append({ workspaceId: workspace.id, actor: operator, action: 'loyalty.granted', target });
  expect(await auditRecords(gala, workspace.id)).toEqual([
    expect.objectContaining({
      mode: null,
      actor: operator,
      target,
      details: {},
      summary: 'loyalty.granted: Everything',
    }),
  ]);
});

test('is read newest first, in pages and by cursor', async () => {
  for (let count = 1; count <= 7; count++) {
    if (count % 3 === 0) clock.advance(1);
    await append(String(count));
  }
  const newestFirst = [7, 6, 5, 4, 3, 2, 1].map((count) => `Removed ${count} from the workspace`);
  expect(await auditSummaries(gala, workspace.id)).toEqual(newestFirst);
  const second = await auditPage(gala, workspace.id, { page: '2', limit: '3' });
  expect(second.data.map(({ summary }) => summary)).toEqual(newestFirst.slice(3, 6));
  expect(second.pagination).toMatchObject({ total: 7, pages: 3, hasNext: true, hasPrev: true });
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await auditPage(gala, workspace.id, { limit: '2', cursor });
    seen.push(...page.data.map(({ summary }) => summary));
    cursor = page.pagination.nextCursor;
    await append('while someone reads');
  }
  expect(seen).toEqual(newestFirst);
});

test('each workspace has its own', async () => {
  await append('ours');
  const other = await gala.createWorkspace();
  expect(await auditRecords(gala, other.id)).toEqual([]);
  expect((await auditPage(gala, other.id)).pagination.total).toBe(0);
});

test('tells nothing of what was taken back', async () => {
  const work = gala.app.get(UnitOfWork, { strict: false }).run(async () => {
    await append('never');
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect(await auditRecords(gala, workspace.id)).toEqual([]);
});

describe('what it says stands: the database itself refuses', () => {
  test.each([
    ['UPDATE', `UPDATE audit_log SET actor_name = 'someone else' WHERE workspace_id = $1`],
    ['DELETE', `DELETE FROM audit_log WHERE workspace_id = $1`],
    ['TRUNCATE', `TRUNCATE audit_log`],
    ['TRUNCATE of what it refers to', `TRUNCATE workspaces CASCADE`],
    [
      'an upsert',
      `INSERT INTO audit_log SELECT * FROM audit_log WHERE workspace_id = $1
       ON CONFLICT (workspace_id, id) DO UPDATE SET actor_name = 'someone else'`,
    ],
  ])('%s', async (_, statement) => {
    await append('first');
    const before = await auditRecords(gala, workspace.id);
    const values = statement.includes('$1') ? [toUuid(workspace.id)] : [];
    await expect(sql(gala.databaseUrl, statement, values)).rejects.toThrow('the audit log is append-only');
    expect(await auditRecords(gala, workspace.id)).toEqual(before);
  });
});
