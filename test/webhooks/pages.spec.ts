import type { Person } from '../../src/kernel/actor';
import { type DeliveryId, toUuid, type WebhookId, type WorkspaceId } from '../../src/kernel/ids';
import type { Mode } from '../../src/kernel/principal';
import { CreateApiKey } from '../../src/modules/api-keys';
import { ManageWebhooks, Redeliver } from '../../src/modules/webhooks';
import { newApp } from '../oauth/support';
import { Client } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { person } from '../workspaces/people';

let gala: TestGala;
let workspace: WorkspaceId;
let owner: Person;
let browser: PageClient;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  const email = newEmail();
  workspace = await workspaceOf(gala, email);
  owner = await person(gala, email);
  browser = await browserOf(gala, email);
});

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
const pathOf = (page: string, mode: Mode = 'live') => `/settings/${workspace}/${mode}/webhooks${page}`;

async function endpoint(mode: Mode = 'live'): Promise<WebhookId> {
  const settings = { url: 'https://example.com/hook', events: ['*'], description: null };
  const ref = { workspaceId: workspace, mode };
  const { id } = (await get(ManageWebhooks).create(ref, owner, settings)).endpoint;
  // The test that a new host gets by itself is none of those that are counted here.
  await sql(gala.databaseUrl, 'DELETE FROM webhook_deliveries WHERE endpoint_id = $1', [toUuid(id)]);
  return id;
}

async function testEvent(id: WebhookId): Promise<DeliveryId> {
  return (await get(Redeliver).test({ workspaceId: workspace, mode: 'live' }, owner, id)).id;
}

/** An event that is no test. */
async function makeKey(): Promise<void> {
  const input = { name: 'Key', scopes: [], expiresAt: null };
  await get(CreateApiKey).byOperator({ workspaceId: workspace, mode: 'live' }, input);
}

test('an endpoint of the other mode, and a delivery of another endpoint, are not there', async () => {
  const [live, other] = [await endpoint(), await endpoint()];
  const delivery = await testEvent(live);
  expect((await browser.get(pathOf(`/${live}`))).status).toBe(200);
  expect((await browser.get(pathOf(`/${live}/deliveries/${delivery}`))).status).toBe(200);
  for (const missing of [
    pathOf(`/${live}`, 'test'),
    pathOf(`/${live}/deliveries`, 'test'),
    pathOf(`/${live}/deliveries/${delivery}`, 'test'),
    pathOf(`/${other}/deliveries/${delivery}`),
    pathOf(`/${live}/deliveries/unknown`),
    pathOf('/unknown'),
  ]) {
    expect((await browser.get(missing)).status).toBe(404);
  }
  for (const form of ['', '/pause', '/enable', '/rotate', '/delete', '/recover', '/test']) {
    const fields = { url: 'https://example.com/', events: '*', since: '2027-01-15T09:30' };
    expect((await browser.submit(pathOf(`/${live}${form}`, 'test'), fields)).status).toBe(404);
  }
});

test('an endpoint that an app made bears its name, and goes when the app is removed', async () => {
  const scopes = ['webhooks:write'];
  const app = await newApp(gala, { scopes });
  const client = app.as(await app.install({ scope: scopes[0] }));
  await client.post('/v1/webhooks', { url: 'https://example.com/app', events: ['*'] });
  const path = `/settings/${app.owner.workspaceId}/live/webhooks`;
  expect((await app.owner.browser.get(path)).text).toContain('App Seating Planner');
  const apps = `/settings/${app.owner.workspaceId}/live/apps`;
  const [, removal] = /href="([^"]+\/remove)"/.exec((await app.owner.browser.get(apps)).text)!;
  await app.owner.browser.submit(removal!);
  expect((await app.owner.browser.get(path)).text).toContain('No live webhook endpoints yet');
});

test('a paused endpoint and one that Gala disabled say so, and nothing is sent to them', async () => {
  const id = await endpoint();
  const delivery = await testEvent(id);
  await browser.submit(pathOf(`/${id}/pause`));
  expect((await browser.get(pathOf(''))).text).toContain('>Paused<');
  await sql(gala.databaseUrl, `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now()`);
  expect((await browser.get(pathOf(`/${id}/deliveries/${delivery}`))).text).toContain('>Waiting<');
  const reason = 'The endpoint answered 410 Gone.';
  await sql(gala.databaseUrl, 'UPDATE webhook_endpoints SET disabled_reason = $1', [reason]);
  for (const page of ['', `/${id}`]) expect((await browser.get(pathOf(page))).text).toContain(reason);
  for (const form of ['test', `deliveries/${delivery}/retry`]) {
    expect(outcome(await browser.submit(pathOf(`/${id}/${form}`)))).toBe(`303 ${pathOf(`/${id}`)}`);
  }
  const { text, status } = await browser.submit(pathOf(`/${id}/recover`), { since: '2027-01-15T09:30' });
  expect(status).toBe(422);
  expect(text).toContain(reason);
});

test.each(['long ago', '2027-02-29T10:00', ''])('%j is no time to recover from', async (since) => {
  const { status, text } = await browser.submit(pathOf(`/${await endpoint()}/recover`), { since });
  expect(status).toBe(422);
  expect(text).toContain(since ? 'must be a date and time' : 'Failed since is required');
});

test('what was given up is recovered from a time in the workspace’s zone on', async () => {
  const id = await endpoint();
  await makeKey();
  // 09:30 in Madrid.
  const at = '2027-01-15T08:30:00Z';
  const fail = `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, created_at = $1`;
  for (const [since, count] of [
    ['2027-01-15T09:31', 0],
    ['2027-01-15T09:30', 1],
  ] as const) {
    await sql(gala.databaseUrl, fail, [at]);
    const answer = await browser.submit(pathOf(`/${id}/recover`), { since });
    expect(outcome(answer)).toBe(`303 ${pathOf(`/${id}/deliveries`)}?recovered=${count}`);
  }
});

test('the log walks on by cursor, and keeps its filter', async () => {
  const id = await endpoint();
  for (let count = 0; count < 51; count++) await makeKey();
  const rows = (text: string) => text.match(/\/deliveries\/del_/g)?.length ?? 0;
  const { text } = await browser.get(pathOf(`/${id}/deliveries?status=pending`));
  const older = /href="([^"]+cursor=[^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
  expect(older).toContain('status=pending&');
  expect([rows(text), rows((await browser.get(older)).text)]).toEqual([50, 1]);
  expect((await browser.get(older.replace('pending', 'failed'))).status).toBe(422);
});

test('an endpoint names the person or key that created it', async () => {
  const path = pathOf('');
  const id = await endpoint();
  for (const page of [path, `${path}/${id}`]) {
    // The header names the visitor, too.
    expect((await browser.get(page)).text.split(`>${owner.name}<`)).toHaveLength(3);
  }
  const key = { name: 'Till', scopes: ['webhooks:write'], expiresAt: null };
  const { token } = await get(CreateApiKey).byOperator({ workspaceId: workspace, mode: 'live' }, key);
  const created = await new Client(gala.baseUrl, token).post('/v1/webhooks', {
    url: 'https://example.com/key',
    events: ['*'],
  });
  expect(created.status).toBe(201);
  for (const page of [path, `${path}/${created.body.id}`]) {
    expect((await browser.get(page)).text).toContain('>API key Till<');
  }
});

test('the first tab tells what the endpoint receives, and why nothing arrives', async () => {
  const id = await endpoint();
  const page = async () => (await browser.get(pathOf(`/${id}`))).text.replaceAll('<!-- -->', '');
  expect(await page()).toContain('Live events only.');
  expect(await page()).toContain(`href="${pathOf('', 'test')}">Test events go to test endpoints</a>`);
  expect(await page()).toContain('None in the last 30 days');
  expect(await page()).toContain('no such event has occurred');
  await makeKey();
  await sql(
    gala.databaseUrl,
    `WITH failing AS (UPDATE webhook_endpoints SET failing_since = '2027-01-15T09:30Z', skip_causes = ARRAY['import'], scopes = ARRAY['leads:read'])
     INSERT INTO webhook_attempts (workspace_id, mode, delivery_id, number, at, duration_ms, response_status)
     SELECT workspace_id, mode, id, 1, '2027-01-15T09:30Z', 12, 503 FROM webhook_deliveries`,
  );
  const text = await page();
  expect(text).toMatch(/Last answer<\/dt><dd><a href="[^"]+\/deliveries\/del_\w+">503<\/a>/);
  expect(text).toContain('Failing since');
  expect(text).toContain('Except those caused by</dt><dd>Imports<');
  expect(text).toMatch(/Limited to the scopes<\/dt><dd><details class="scopes"><summary>Leads: read</);
});

test('settings and the danger zone are tabs of their own, and a refused change shows the settings', async () => {
  const id = await endpoint();
  const tab = async (name: string) => (await browser.get(pathOf(`/${id}${name}`))).text;
  for (const name of ['', '?tab=deliveries', '?tab=toString']) {
    expect(await tab(name)).toContain('Latest deliveries');
    expect(await tab(name)).not.toContain('Pause the endpoint');
  }
  expect(await tab('?tab=settings')).toContain('Endpoint URL');
  expect(await tab('?tab=danger')).toContain('Delete the endpoint…');
  const refused = await browser.submit(pathOf(`/${id}`), { url: 'nonsense', events: '*' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="nonsense"');
});

test('groups of events are folded unless something in them is chosen', async () => {
  const branches = (text: string) =>
    new Map(
      [...text.matchAll(/<details class="branch"( open)?><summary>([^<]+) </g)].map(([, open, label]) => [
        label!.trim(),
        Boolean(open),
      ]),
    );
  const id = await endpoint();
  const fields = { url: 'https://example.com/hook', events: ['lead.created', 'task.*'] };
  await browser.submit(pathOf(`/${id}`), fields);
  const { text } = await browser.get(pathOf(`/${id}?tab=settings`));
  const open = [...branches(text)].filter(([, isOpen]) => isOpen).map(([label]) => label);
  expect(open).toEqual(['Leads', 'Tasks']);
  expect([...branches((await browser.get(pathOf('/new'))).text).values()]).not.toContain(true);
});
