import { Readable } from 'node:stream';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import { RunImport } from '../../src/modules/imports';
import { ManageApps } from '../../src/modules/oauth';
import { ManageWebhooks, Redeliver } from '../../src/modules/webhooks';
import { PauseMember } from '../../src/modules/workspaces';
import { act, FAR, place } from '../holds/support';
import { draft, pathOf, sent, visitor } from '../proposals/support';
import { idOf } from '../support/api-keys';
import { Mailbox } from '../support/mailbox';
import { PageClient } from '../support/page-client';
import { browserOf, newEmail, PASSWORD, signIn, someone, turnOnSecondFactor } from '../support/people';
import { routesOf } from '../support/route-sweep';
import { createSpace, plan } from '../support/calendar';
import { addField } from '../support/fields';
import { uploaded } from '../files/support';
import { createLead } from '../support/leads';
import { addReason, addStage } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { CREDENTIALS, WhatsAppServer } from '../support/whatsapp-server';
import { memberOf, ownerOf } from '../workspaces/people';
import { PAGE_ROUTES } from './page-routes';

const OWNER = 'owner@example.com';
const APP = 'https://app.example.com/callback';

/** The forms that are handled each time they are sent, and why that shows the same. */
const REPEATABLE: Record<string, string> = {
  'POST /sign-in': 'signs in again, and ends the first session',
  'POST /sign-out': 'is signed out already',
  'POST /account/sign-out-everywhere': 'is signed out already, and has to sign in',
  'POST /password-reset': 'shows the same page; rows for strangers would have no bound, mails do',
  'POST /oauth/authorize': 'gets a code of its own: one code used twice ends the app’s tokens',
  'POST /settings/:workspace/:mode/channels/connect': 'asks WhatsApp, and saves the same credentials',
  'POST /settings/:workspace/:mode/channels/test': 'asks WhatsApp, and changes nothing',
  'POST /settings/:workspace/:mode/channels/templates': 'asks WhatsApp, and saves the same templates',
  'POST /settings/:workspace/:mode/proposals/new/lines':
    'shows the form with more lines, and changes nothing',
  'POST /settings/:workspace/:mode/proposals/:proposal/edit/lines':
    'shows the form with more lines, and changes nothing',
  'POST /settings/:workspace/:mode/imports': 'makes another import, of which nothing is imported yet',
  'POST /settings/:workspace/:mode/files': 'stores another image, which nothing shows yet',
};

const mailbox = new Mailbox();
let whatsApp: WhatsAppServer;
let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  const configuration = { whatsAppApiUrl: whatsApp.url };
  gala = await startGala({ configuration, overrides: [{ provide: Mailer, useValue: mailbox }] });
  workspace = await gala.createWorkspace();
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });

/** The pages of the settings area, with something in each, and their forms in every state. */
async function settingsPages(): Promise<string[]> {
  const area = `/settings/${workspace.id}`;
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const owner = await ownerOf(gala);
  const member = await memberOf(gala, workspace.id, newEmail(), 'member');
  await get(PauseMember).execute(workspace.id, owner, member.id, true);
  const browser = await browserOf(gala, OWNER);
  await browser.submit(`${area}/members/invitations`, { email: newEmail(), role: 'member' });
  await browser.submit(`${area}/live/calendar/link`);
  await browser.submit(`${area}/live/channels/connect`, { ...CREDENTIALS });
  const key = await idOf(await workspace.client());
  const manage = get(ManageWebhooks);
  const settings = { url: 'https://example.com/hook', events: ['*'], description: null };
  const { id: webhook } = (await manage.create(ref, owner, settings)).endpoint;
  const { id: delivery } = await get(Redeliver).test(ref, owner, webhook);
  const { id: paused } = (await manage.create(ref, owner, settings)).endpoint;
  await manage.change(ref, owner, paused, { status: 'disabled' });
  const { app } = await get(ManageApps).register(
    { name: 'Planner', redirectUris: [APP], scopes: ['leads:read'] },
    { isPublic: false },
  );
  const asked = new URLSearchParams({ client_id: app.id, redirect_uri: APP });
  const allowed = { decision: 'allow', workspace: workspace.id, mode: 'live' };
  await browser.submit('/oauth/authorize', { ...Object.fromEntries(asked), ...allowed });
  const client = await workspace.client();
  await addStage(client, 'tasting');
  await addStage(client, 'deposit');
  await client.post('/v1/stages/deposit/archive');
  const reasons = [await addReason(client, 'Over budget'), await addReason(client, 'Date taken')];
  await client.delete(`/v1/lost-reasons/${reasons[1]!.id}`);
  const options = [{ value: 'garden', label: 'Garden hall' }];
  const field = await addField(client, 'room', { type: 'select', options });
  const archivedField = await addField(client, 'table');
  await client.delete(`/v1/lead-fields/${archivedField.id}`);
  const queue = { ...FAR, spaceId: (await createSpace(client)).id };
  const holds = [await place(client, queue), await place(client, queue), await place(client, queue)];
  await act(client, holds[2]!, 'challenge');
  const entries = [await plan(client, FAR), await plan(client, FAR)];
  await client.delete(`/v1/calendar-events/${entries[1]!.id}`);
  const lead = await createLead(client);
  await client.post('/v1/tasks', { title: 'Send the menu', leadId: lead.id });
  const { body: done } = await client.post('/v1/tasks', { title: 'Call back' });
  await client.post(`/v1/tasks/${done.id}/complete`);
  const archived = await createLead(client);
  await client.delete(`/v1/leads/${archived.id}`);
  const reachable = await createLead(await workspace.client('test'), { phone: '+34600123456' });
  const apps = (await browser.get(`${area}/live/apps`)).text;
  const [installation] = /inst_\w+/.exec(apps)!;
  const file = Readable.from([Buffer.from('Email,Date\nana@example.com,2027-06-12\n')]);
  const ready = await get(RunImport).check(ref, owner, {}, file);
  await uploaded(client);
  const offers = [await draft(client), await sent(client), await draft(client)];
  await client.delete(`/v1/proposals/${offers[2].id}`);
  const live = [
    ...['leads', 'leads?view=board', 'leads/new', `leads/${lead.id}`, `leads/${lead.id}/edit`],
    `leads/${archived.id}`,
    ...['imports', `imports/${ready.id}`, 'files', 'brand', `proposals/${offers[0].id}/images`],
    ...[
      'calendar',
      'tasks',
      'tasks?view=done',
      'apps',
      `apps/${installation}/remove`,
      'pipeline',
      'proposals',
      'channels',
    ],
    ...offers.map(({ id }) => `proposals/${id}`),
    ...[`proposals/${offers[0].id}/preview`],
    ...[`proposals/${offers[0].id}/edit`, 'proposals/new', `proposals/new?lead=${offers[0].leadId}`],
    ...['withdraw', 'archive'].map((action) => `proposals/${offers[1].id}/${action}`),
    ...['channels/connect', 'channels/disconnect', 'request-log'],
    ...[`calendar/days/${FAR.startsAt.slice(0, 10)}`, 'calendar/hold-policy'],
    ...['confirm', 'release'].map(
      (verb) => `calendar/days/${FAR.startsAt.slice(0, 10)}/${holds[0]!.id}/${verb}`,
    ),
    ...[`calendar/days/${FAR.startsAt.slice(0, 10)}/hold`, 'calendar/availability', 'calendar/events/new'],
    ...entries.map(({ id }) => `calendar/events/${id}`),
    ...['edit', 'cancel'].map((action) => `calendar/events/${entries[0]!.id}/${action}`),
    ...['assignment', 'stages', 'stages/tasting/edit', 'stages/lost/edit'],
    ...['figures', 'figures/leads', 'response-target'],
    ...reasons.map(({ id }) => `lost-reasons/${id}`),
    ...['fields', `fields/${field.id}/edit`],
    ...['api-keys', 'api-keys/new', `api-keys/${key}`, `api-keys/${key}/revoke`],
    ...[
      'webhooks',
      'webhooks/new',
      `webhooks/${webhook}`,
      `webhooks/${webhook}?tab=settings`,
      `webhooks/${webhook}?tab=danger`,
      `webhooks/${paused}`,
      `webhooks/${webhook}/rotate`,
    ],
    ...[`webhooks/${webhook}/delete`, `webhooks/${webhook}/deliveries`],
    `webhooks/${webhook}/deliveries/${delivery}`,
  ];
  return [
    ...['/', '/settings', '/account', '/account/two-factor', `/oauth/authorize?${asked}`],
    ...['', '/workspace', '/members', `/members/${member.id}/remove`, '/audit-log'].map(
      (path) => area + path,
    ),
    ...live.map((path) => `${area}/live/${path}`),
    `${area}/test/leads/${reachable.id}`,
  ];
}

/** Every page there is, with those who see it. */
async function everyPage(): Promise<[PageClient, string][]> {
  const owner = await browserOf(gala, OWNER);
  const anyone = new PageClient(gala.baseUrl);
  const { email } = await someone(gala);
  await turnOnSecondFactor(gala, email, new Date());
  const secured = await browserOf(gala, email);
  const guest = newEmail();
  const pages = (await settingsPages()).map((path): [PageClient, string] => [owner, path]);
  await owner.submit(`/settings/${workspace.id}/members/invitations`, { email: guest, role: 'member' });
  const { publicUrl } = await sent(await workspace.client());
  const reset = await get(Accounts).openPasswordReset(email);
  return [
    ...pages,
    [secured, '/account/two-factor'],
    [await signIn(gala.baseUrl, email, PASSWORD), '/sign-in/code'],
    [visitor(gala.baseUrl), pathOf({ publicUrl: publicUrl as string })],
    ...['/sign-in', '/password-reset', `/password-reset/${reset}`, mailbox.linkTo(guest)].map(
      (path): [PageClient, string] => [anyone, path],
    ),
  ];
}

/** The results of forms that hold forms, too. */
const RESULTS: Record<string, Record<string, string>> = {
  '/account/two-factor/set-up': { password: PASSWORD },
};

const byDetail = Object.keys(PAGE_ROUTES).sort((a, b) => a.split(':').length - b.split(':').length);
function routeOf(method: string, path: string): string {
  const [bare = ''] = path.split('?');
  const route = byDetail.find((each) =>
    new RegExp(`^${each.replace(/:\w+/g, '[^/]+')}$`).test(`${method} ${bare}`),
  );
  return route ?? `${method} ${bare}, which is not in page-routes.ts`;
}

test('every form that changes something carries a one-time token', async () => {
  const [seen, sentTo] = [new Set<string>(), new Set<string>()];
  const look = (html: string, from: string) => {
    for (const [form, action, method] of html.matchAll(
      /<form action="([^"]*)" method="(\w+)".*?<\/form>/gs,
    )) {
      if (method === 'get') continue;
      sentTo.add(routeOf('POST', action!.split('#')[0]!));
      for (const [, elsewhere] of form.matchAll(/formaction="([^"]*)"/g))
        sentTo.add(routeOf('POST', elsewhere!));
      const tokens = [...form.matchAll(/name="submission" value="([^"]*)"/g)].map(([, token]) => token);
      expect({ from, action, tokens }).toEqual({
        ...{ from, action },
        tokens: [expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)],
      });
    }
  };
  for (const [browser, path] of await everyPage()) {
    const { status, text } = await browser.get(path);
    expect({ path, status }).toEqual({ path, status: path === '/' || path === '/settings' ? 303 : 200 });
    seen.add(routeOf('GET', path));
    look(text, path);
  }
  const person = await browserOf(gala, (await someone(gala)).email);
  for (const [path, fields] of Object.entries(RESULTS)) look((await person.submit(path, fields)).text, path);

  const of = (method: string) =>
    Object.entries(PAGE_ROUTES)
      .flatMap(([route, { isFile }]) => (route.startsWith(method) && !isFile ? route : []))
      .sort();
  expect([...seen].sort()).toEqual(of('GET'));
  expect([...sentTo].sort()).toEqual(of('POST'));
});

test('the forms that are handled each time they are sent are few, and have a reason', () => {
  const repeatable = routesOf(gala).filter(({ isRepeatable }) => isRepeatable);
  const names = repeatable.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
  expect(names.sort()).toEqual(Object.keys(REPEATABLE).sort());
});

test('their repeats show the same', async () => {
  const { email } = await someone(gala);
  const browser = new PageClient(gala.baseUrl);
  const { text } = await browser.get('/sign-in');
  const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(text)![1]!;
  const copies = [1, 2].map(() => browser.copy(gala.baseUrl));
  const both = (path: string, fields = {}) =>
    Promise.all(copies.map((each) => each.post(path, { csrfToken, ...fields })));
  const outcomes = async (path: string, fields = {}) =>
    (await both(path, fields)).map(({ status, headers }) => [status, headers.location]);
  expect(await outcomes('/password-reset', { email })).toEqual(Array(2).fill([200, undefined]));
  expect(await outcomes('/sign-in', { email, password: PASSWORD })).toEqual(
    Array(2).fill([303, '/settings']),
  );
});
