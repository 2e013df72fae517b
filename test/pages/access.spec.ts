import { newId, type WorkspaceId } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts, type User } from '../../src/modules/accounts';
import { CreateApiKey } from '../../src/modules/api-keys';
import { ManageSpaces, PlanEvent } from '../../src/modules/calendar';
import { PlaceHold } from '../../src/modules/holds/application/place-hold';
import { ReceiveImage } from '../../src/modules/files/application/receive-image';
import { CreateLead } from '../../src/modules/leads';
import { ManageLeadFields } from '../../src/modules/leads/application/manage-lead-fields';
import { ManageLostReasons } from '../../src/modules/leads/application/manage-lost-reasons';
import { ShapePipeline } from '../../src/modules/leads/application/shape-pipeline';
import { CreateTask } from '../../src/modules/tasks/application/create-task';
import { ManageWebhooks, Redeliver } from '../../src/modules/webhooks';
import { AcceptInvitation, InviteMember } from '../../src/modules/workspaces';
import { draftIn } from '../proposals/support';
import { Mailbox } from '../support/mailbox';
import { picture } from '../files/support';
import type { Answer } from '../support/http-client';
import { type Fields, outcome, PageClient } from '../support/page-client';
import { browserOf, newEmail, someone, workspaceOf } from '../support/people';
import { routesOf } from '../support/route-sweep';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import { FAR } from '../holds/support';
import { person } from '../workspaces/people';
import { CreateImport } from '../../src/modules/imports/application/create-import';
import { InvitationLinks } from '../../src/modules/workspaces/pages/invitation-links';
import { PAGE_ROUTES, SIGN_IN, type Visitor, VISITORS } from './page-routes';

/** Everything is served under a path: whatever leads anywhere has to carry it. */
const PREFIX = '/gala';
const OURS = /^\/(settings|account|invitations)\b/;

let gala: TestGala;
let workspace: WorkspaceId;
let elsewhere: WorkspaceId;
const emails: Record<Visitor, string> = {
  nobody: newEmail(),
  expired: 'owner@garden.test',
  member: 'member@garden.test',
  admin: 'admin@garden.test',
  owner: 'owner@garden.test',
  stranger: 'owner@elsewhere.test',
};
beforeAll(async () => {
  gala = await startGala({
    configuration: { publicUrl: new URL(`http://localhost:3000${PREFIX}`) },
    overrides: [{ provide: Mailer, useValue: new Mailbox() }],
  });
  for (const email of new Set(Object.values(emails))) await someone(gala, email);
  workspace = await workspaceOf(gala, emails.owner);
  elsewhere = await workspaceOf(gala, emails.stranger);
  for (const role of ['member', 'admin'] as const) await join(emails[role], role);
});
afterAll(() => gala.stop());

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
const owner = () => person(gala, emails.owner);
const invite = async (role: 'member' | 'admin', email = newEmail()) =>
  get(InviteMember).execute(workspace, await owner(), { email, role });

async function join(email: string, role: 'member' | 'admin'): Promise<User> {
  const { token } = await invite(role, email);
  const user = await get(Accounts).findOrAdd(email);
  await get(AcceptInvitation).execute(token, user, '127.0.0.1');
  return user;
}

async function browse(visitor: Visitor): Promise<PageClient> {
  if (visitor === 'nobody') return new PageClient(gala.baseUrl);
  const browser = await browserOf(gala, emails[visitor]);
  if (visitor === 'expired') await expire(browser);
  return browser;
}

async function expire(browser: PageClient): Promise<void> {
  const hash = `sha256(convert_to($1, 'UTF8'))`;
  await sql(
    gala.databaseUrl,
    `UPDATE sessions SET expires_at = now() - interval '1 s' WHERE hash = ${hash}`,
    [browser.cookies.get('gala')],
  );
}

/** Makes what the route's path and form speak of, anew for each call: what is done to it is done once. */
async function prepare(route: string, visitor: Visitor): Promise<(text: string) => string> {
  const { fields = {}, token } = PAGE_ROUTES[route]!;
  const names = new Set(`${route} ${Object.values(fields).join(' ')}`.match(/(?<=:)[a-zA-Z]+/g) ?? []);
  const values: Record<string, string> = {
    workspace,
    home: visitor === 'stranger' ? elsewhere : workspace,
    mode: 'test',
    installation: newId('inst'),
    email: emails[visitor],
    newEmail: newEmail(),
    day: FAR.startsAt.slice(0, 10),
  };
  if (names.has('key')) {
    const input = { name: 'Key', scopes: [], expiresAt: null };
    values.key = (await get(CreateApiKey).byOperator({ workspaceId: workspace, mode: 'test' }, input)).key.id;
  }
  if (names.has('webhook')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const actor = await owner();
    // A workspace has room for so many.
    await sql(gala.databaseUrl, 'UPDATE webhook_endpoints SET deleted_at = created_at');
    const settings = { url: 'https://example.com/hook', events: ['*'], description: null };
    const { id } = (await get(ManageWebhooks).create(ref, actor, settings)).endpoint;
    values.webhook = id;
    if (names.has('delivery')) values.delivery = (await get(Redeliver).test(ref, actor, id)).id;
  }
  if (names.has('stage')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const actor = await owner();
    // A workspace has room for so many.
    await sql(gala.databaseUrl, 'DELETE FROM stages');
    values.stage = (await get(ShapePipeline).add(ref, actor, { key: 'tasting', name: 'Tasting' })).key;
  }
  if (names.has('lead')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const lead = { email: newEmail(), phone: '+34600123456' };
    values.lead = (await get(CreateLead).execute({ ...ref, actor: await owner() }, lead)).id;
  }
  if (names.has('task')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    values.task = (await get(CreateTask).execute(ref, { title: 'Send the menu' })).id;
  }
  if (names.has('import')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    values.import = (await get(CreateImport).execute(ref, await owner(), {})).id;
  }
  if (names.has('file')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const image = await get(ReceiveImage).receive(ref, () => picture());
    values.file = (await get(ReceiveImage).store(ref, image)).id;
    values.rendition = '64.webp';
  }
  if (names.has('proposal')) {
    values.proposal = (await draftIn(gala, { workspaceId: workspace, mode: 'test' })).id;
  }
  if (names.has('reason')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    await sql(gala.databaseUrl, 'DELETE FROM lost_reasons');
    values.reason = (await get(ManageLostReasons).create(ref, await owner(), 'Over budget')).id;
  }
  if (names.has('field')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    await sql(gala.databaseUrl, 'DELETE FROM lead_fields');
    const field = { key: 'room', label: 'Room', type: 'text' } as const;
    values.field = (await get(ManageLeadFields).create(ref, await owner(), field)).id;
  }
  if (names.has('event')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const wedding = { type: 'event', title: 'Wedding', ...FAR } as const;
    values.event = (await get(PlanEvent).execute({ ...ref, actor: await owner() }, wedding)).id;
  }
  if (names.has('hold')) {
    const ref = { workspaceId: workspace, mode: 'test' } as const;
    const space = await get(ManageSpaces).create(ref, await owner(), { name: 'Hall' });
    const spaces = { field: 'spaceId', ids: [space.id] } as const;
    values.hold = (await get(PlaceHold).execute(ref, { title: 'Pérez', spaces, ...FAR })).id;
    // A workspace has room for so many.
    await get(ManageSpaces).archive(ref, await owner(), space.id);
  }
  if (names.has('invitation')) values.invitation = (await invite('member')).invitation.id;
  if (names.has('user')) values.user = (await join(newEmail(), 'member')).id;
  if (names.has('link'))
    values.link = get(InvitationLinks)
      .mailed((await invite('member')).token)
      .split('/')
      .at(-1)!;
  if (token === 'reset') values.token = await get(Accounts).openPasswordReset(emails[visitor]);
  return (text) => text.replace(/:([a-zA-Z]+)/g, (whole, name: string) => values[name] ?? whole);
}

interface Call {
  method: string;
  path: string;
  fields: Record<string, string>;
}

async function call(route: string, visitor: Visitor): Promise<Call & { expected: string }> {
  const fill = await prepare(route, visitor);
  const { fields = {}, outcomes } = PAGE_ROUTES[route]!;
  const [method, template] = route.split(' ') as [string, string];
  const path = fill(template);
  const returns = method === 'GET' && OURS.test(path) && path !== '/settings';
  const signIn = `303 /sign-in${returns ? `?return=${encodeURIComponent(path)}` : ''}`;
  const filled = Object.entries(fields).map(([name, value]) => [name, fill(value as string)]);
  return {
    method,
    path,
    fields: Object.fromEntries(filled),
    expected: (outcomes[visitor] === SIGN_IN ? signIn : fill(outcomes[visitor])).replace(' /', ` ${PREFIX}/`),
  };
}

async function send(browser: PageClient, { method, path, fields }: Call): Promise<Answer> {
  return method === 'GET' ? browser.get(path) : browser.submit(path, fields);
}

const posts = Object.keys(PAGE_ROUTES).filter((route) => route.startsWith('POST'));

test('every page and form that is registered is in the table, and nothing else', () => {
  const registered = routesOf(gala).filter(({ access }) => access.kind === 'page');
  const names = registered.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
  expect(Object.keys(PAGE_ROUTES).sort()).toEqual(names.sort());
});

describe.each(VISITORS)('to %s', (visitor) => {
  test.each(Object.keys(PAGE_ROUTES))('%s answers what the table says', async (route) => {
    const { expected, ...asked } = await call(route, visitor);
    const answer = await send(await browse(visitor), asked);
    expect(outcome(answer)).toBe(expected);
    if (answer.status === 303 || (answer.status === 200 && PAGE_ROUTES[route]!.isFile)) return;
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const addresses = [...answer.text.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)];
    expect(addresses.length).toBeGreaterThan(2);
    for (const [, address] of addresses) {
      expect(address).toMatch(new RegExp(`^(#|mailto:|tel:|${PREFIX}/(?!/))`));
    }
  });
});

test.each(posts)('%s takes no form from elsewhere, and changes nothing', async (route) => {
  // One who would otherwise be let in.
  const visitor = VISITORS.find((each) => /^(2|303)/.test(PAGE_ROUTES[route]!.outcomes[each])) ?? 'owner';
  const { path, fields } = await call(route, visitor);
  const [browser, former] = [await browse(visitor), await browse(visitor)];
  const [csrfToken, staleToken] = [await browser.csrfToken(), await former.csrfToken()];
  const before = await dumpTables(gala.databaseUrl);
  const refused: [string, Fields, string?][] = [
    ['no token', {}],
    ['the token of another session', { csrfToken: staleToken }],
    ['two tokens', { csrfToken: [csrfToken, csrfToken] }],
    ...['https://evil.test', 'null', 'http://localhost:3000.evil.test', 'https://localhost:3000'].map(
      (origin): [string, Fields, string] => [origin, { csrfToken }, origin],
    ),
  ];
  for (const [what, token, origin] of refused) {
    const headers = origin ? { Origin: origin } : {};
    const answer = await browser.post(path, { ...token, ...fields }, { headers });
    expect({ what, outcome: outcome(answer) }).toEqual({ what, outcome: '403' });
  }
  expect(await dumpTables(gala.databaseUrl)).toEqual(before);
  const fromOurs = { headers: { Origin: 'http://localhost:3000' } };
  expect((await browser.post(path, { csrfToken, ...fields }, fromOurs)).status).not.toBe(403);
});

test('another workspace is, to the byte, one that doesn’t exist', async () => {
  const browser = await browse('stranger');
  for (const route of Object.keys(PAGE_ROUTES).filter((each) => each.includes(':workspace'))) {
    const asked = await call(route, 'stranger');
    const nowhere = { ...asked, path: asked.path.replace(workspace, newId('ws')) };
    const [theirs, nothing] = [await send(browser, asked), await send(browser, nowhere)];
    const shown = ({ status, text, headers: { date, 'x-request-id': id, ...headers } }: Answer) => ({
      status,
      text,
      headers: { ...headers, id: typeof id, date: typeof date },
    });
    expect({ route, ...shown(theirs) }).toEqual({ route, ...shown(nothing) });
    expect(theirs.status).toBe(404);
  }
});
