import { AuditLog } from '../../src/modules/audit-log';
import { ChangeWorkspace } from '../../src/modules/workspaces';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';

let gala: TestGala;
let workspace: TestWorkspace;
let owner: PageClient;
let path: string;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  owner = await browserOf(gala, 'owner@example.com');
  path = `/settings/${workspace.id}/audit-log`;
});

const get = <Type>(token: abstract new (...args: never[]) => Type) =>
  gala.app.get<Type>(token, { strict: false });
const text = async (query = '') => (await owner.get(`${path}${query}`)).text.replaceAll('<!-- -->', '');
const rows = async (query = '') =>
  (await text(query)).match(/<tr role="row"><th role="rowheader"/g)?.length ?? 0;
const append = (name: string, action: string, type: 'user' | 'api_key' = 'user') =>
  get(AuditLog).append({
    workspaceId: workspace.id,
    actor: { type, id: null, name, address: null },
    action,
    target: { id: null, name: 'Target' },
  });

test('tells what changed from what to what', async () => {
  const change = { name: 'Océano <b>', timeZone: 'America/Bogota', currency: 'EUR' };
  await get(ChangeWorkspace).execute(workspace.id, await ownerOf(gala), change);
  const shown = (await text()).replaceAll(/<\/?bdi>|<span aria-label="to">|<\/span>/g, '');
  expect(shown).toContain('Name: Test → Océano &lt;b>');
  expect(shown).toContain('Time zone: Europe/Madrid → America/Bogota');
  expect(shown).not.toContain('Currency:');
});

test('shows times in the workspace’s time zone', async () => {
  const expiresAt = '2027-02-14T09:30:00.000Z';
  await get(AuditLog).append({
    workspaceId: workspace.id,
    actor: { type: 'user', id: null, name: 'ana@example.com', address: null },
    action: 'api_key.created',
    target: { id: null, name: 'Till' },
    details: { expiresAt, scopes: ['leads:read'] },
  });
  const shown = await text();
  expect(shown).toMatch(new RegExp(`Expires at: <time datetime="${expiresAt}">14 Feb[^<]* 10:30</time>`));
  expect(shown).toContain('Scopes: <bdi>leads:read</bdi>');
});

test('is filtered by person and by kind, alone and together, from page to page', async () => {
  const before = await rows();
  for (let count = 0; count < 51; count++) await append('Ana@example.com', 'webhook.updated');
  await append('ana@example.com', 'space.created');
  await append('Till', 'webhook.deleted', 'api_key');
  expect(await rows('?by=ANA@example.com&kind=space')).toBe(1);
  expect(await rows('?kind=webhook&by=till')).toBe(1);
  expect(await rows('?by=nobody')).toBe(0);
  expect(await text('?by=nobody')).toContain('No matching entries');
  for (const odd of ['?kind=odd', '?by=', '?by=a%00b'])
    expect(await rows(odd)).toBe(Math.min(50, before + 53));
  const first = await text('?by=ana@example.com');
  const [, next] = /href="([^"]+cursor=[^"]+)"/.exec(first)!;
  expect(next).toContain('by=ana%40example.com&amp;cursor=');
  expect(await rows(next!.slice(path.length).replaceAll('&amp;', '&'))).toBe(2);
  expect(await text('?kind=webhook')).toMatch(/<option value="webhook" selected>Webhook</);
  expect(await text()).toContain(`href="${path}?by=Till">API key Till</a>`);
});
