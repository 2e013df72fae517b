import { allEvents } from '../support/events';
import { outcome } from '../support/page-client';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import { auditRecords } from '../audit-log/records';
import { memberOfWorkspace } from './members';
import { newApp, SCOPES, type TestApp } from './support';
import { ManageApps } from '../../src/modules/oauth';

let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  app = await newApp(gala);
});

const appsPath = (mode = 'live') => `/settings/${app.owner.workspaceId}/${mode}/apps`;

async function removalPath(mode = 'live'): Promise<string> {
  const { text } = await app.owner.browser.get(appsPath(mode));
  return /href="([^"]+\/apps\/inst_[^"]+\/remove)"/.exec(text)![1]!;
}

test('an app is in the list of the mode that it was let into, and gone once it is removed', async () => {
  const tokens = await app.install({}, { mode: 'test' });
  expect((await app.owner.browser.get(appsPath('live'))).text).toContain('No apps installed');
  const { text } = await app.owner.browser.get(appsPath('test'));
  for (const part of ['Seating Planner', app.owner.email]) expect(text).toContain(part);
  expect(text).not.toContain('Not connected');

  const path = await removalPath('test');
  expect((await app.owner.browser.get(path)).text).toContain('Remove Seating Planner?');
  expect(await app.statusOf(tokens)).toBe(200);
  expect(outcome(await app.owner.browser.submit(path))).toBe(`303 ${appsPath('test')}?notice=removed`);
  expect(await app.statusOf(tokens)).toBe(401);
  expect((await app.owner.browser.get(appsPath('test'))).text).toContain('No apps installed');
  expect((await app.owner.browser.get(path)).status).toBe(404);
});

test('an app that was let in but never came for its tokens isn’t connected', async () => {
  await app.code();
  expect((await app.owner.browser.get(appsPath())).text).toContain('Not connected');
});

test('letting it in again changes what it may do, and makes no second entry', async () => {
  await app.install({ scope: 'leads:read' });
  await app.install();
  const { text } = await app.owner.browser.get(appsPath());
  expect(text.match(/Seating Planner/g)!.filter(Boolean).length).toBeGreaterThan(0);
  expect(new Set(text.match(/inst_[0-9a-z]{26}/g)).size).toBe(1);
});

test('members see no apps, and remove none; nor do strangers', async () => {
  const tokens = await app.install();
  const path = await removalPath();
  const email = newEmail();
  await memberOfWorkspace(gala, app.owner, email, 'member');
  const member = await browserOf(gala, email);
  const stranger = (await newApp(gala)).owner.browser;
  for (const [browser, status] of [
    [member, '403'],
    [stranger, '404'],
  ] as const) {
    expect(outcome(await browser.get(appsPath()))).toBe(status);
    expect(outcome(await browser.submit(path))).toBe(status);
  }
  expect(await app.statusOf(tokens)).toBe(200);
});

test('installing and removing are events, once each', async () => {
  await app.install();
  await app.install();
  const path = await removalPath();
  await app.owner.browser.submit(path);
  await app.owner.browser.submit(path);
  const events = (await allEvents(gala, app.owner.workspaceId)).filter(({ type }) => type.startsWith('app.'));
  expect(events).toEqual([
    expect.objectContaining({ type: 'app.installed', mode: 'live' }),
    expect.objectContaining({ type: 'app.uninstalled', mode: 'live' }),
  ]);
  const [installed, uninstalled] = events;
  expect(installed!.data).toMatchObject({
    id: expect.stringMatching(/^inst_/),
    ...{ appId: app.id, appName: 'Seating Planner', scopes: SCOPES, removedAt: null },
  });
  expect(uninstalled!.data).toMatchObject({
    id: installed!.data.id,
    removedAt: expect.stringMatching(/Z$/),
  });
});

test('the audit log says who let it in and who removed it, the operator included', async () => {
  await app.install();
  await app.owner.browser.submit(await removalPath());
  await app.install({}, { mode: 'test' });
  await gala.app.get(ManageApps, { strict: false }).delete(app.id);
  const records = (await auditRecords(gala, app.owner.workspaceId))
    .filter(({ action }) => action.startsWith('app.'))
    .map(({ action, mode, actor, summary }) => ({ action, mode, who: actor.name, summary }))
    .reverse();
  const { email } = app.owner;
  const [installed, removed] = ['Installed the app Seating Planner', 'Removed the app Seating Planner'];
  expect(records).toEqual([
    { action: 'app.installed', mode: 'live', who: email, summary: installed },
    { action: 'app.uninstalled', mode: 'live', who: email, summary: removed },
    { action: 'app.installed', mode: 'test', who: email, summary: installed },
    { action: 'app.uninstalled', mode: 'test', who: 'Operator', summary: removed },
  ]);
});

test('codes, tokens and secrets are nowhere in the log or the database', async () => {
  const code = await app.code({ state: 'state-of-the-app' });
  const { body: first } = await app.redeem(code);
  const { body: second } = await app.refresh(first.refresh_token);
  await app.refresh(second.refresh_token, { client_secret: `${app.secret}x` });
  await app.redeem('gala_ac_mistyped');
  await app.as(first).get('/v1/me');
  await app.call('/oauth/introspect', { token: first.access_token });
  const secrets = [
    ...[code, app.secret!, 'gala_ac_mistyped', `${app.secret}x`],
    ...[first, second].flatMap((tokens) => [tokens.access_token, tokens.refresh_token]),
  ];
  const written = [...(await dumpTables(gala.databaseUrl)).values(), ...gala.logged].join('\n');
  expect(gala.logged.some((line) => line.includes('oauth/token'))).toBe(true);
  for (const secret of secrets) {
    expect(written).not.toContain(secret);
    expect(written).not.toContain(secret.slice('gala_ac_'.length));
    expect(written).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(gala.logged.join('\n')).not.toContain('state-of-the-app');
});
