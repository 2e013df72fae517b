import { Clock } from '../../src/kernel/clock';
import { type LeadId, toUuid } from '../../src/kernel/ids';
import { draft, send, sent } from '../proposals/support';
import { plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from './people';

jest.setTimeout(60_000);

const MEMBER = 'member@example.com';
const clock = new FakeClock('2027-03-31T10:00:00Z');
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let owner: PageClient;
let path: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  owner = await browserOf(gala, 'owner@example.com');
  path = `/settings/${workspace.id}`;
});

const overview = async (browser = owner) => (await browser.get(path)).text;
const openSteps = (text: string) =>
  [...text.matchAll(/>([^<>]+)(?:<\/a>)?<span[^>]*>: to do</g)].map(([, step]) => step);
const numberUnder = (text: string, title: string) =>
  new RegExp(`<dt>${title}</dt><dd>([^<]*)</dd>`).exec(text)?.[1]?.replaceAll(/\s/g, ' ');

describe('the checklist', () => {
  test('ticks each step once it is done, in either mode, and goes when all are done', async () => {
    expect(openSteps(await overview())).toEqual([
      'Use an API key',
      'Receive a lead',
      'Send a proposal',
      'Connect a webhook endpoint',
      'Set up email',
      'Invite a teammate',
    ]);
    const lead = await createLead(client, { guests: 120 });
    expect(await overview()).toContain('Make your first call');
    // Uses are written after some seconds.
    await sql(gala.databaseUrl, 'UPDATE api_keys SET last_used_at = now()');
    expect(await overview()).not.toContain('Make your first call');
    expect(openSteps(await overview())).toEqual([
      'Send a proposal',
      'Connect a webhook endpoint',
      'Set up email',
      'Invite a teammate',
    ]);
    const { id } = await draft(client, { leadId: lead.id });
    expect(openSteps(await overview())).toContain('Send a proposal');
    await send(client, id);
    expect(openSteps(await overview())).not.toContain('Send a proposal');
    await client.post('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] });
    expect(openSteps(await overview())).toContain('Connect a webhook endpoint');
    await sql(gala.databaseUrl, 'UPDATE webhook_endpoints SET verified_at = now()');
    await memberOf(gala, workspace.id, MEMBER, 'member');
    expect(openSteps(await overview())).toEqual(['Set up email']);
    expect(await overview()).toContain('5 of 6 steps are done.');
  });

  test('is shown to admins alone, and leads to the mode that was visited last', async () => {
    await memberOf(gala, workspace.id, MEMBER, 'member');
    const member = await browserOf(gala, MEMBER);
    expect(await overview(member)).not.toContain('Set up this workspace');
    expect(await overview()).toContain(`href="${path}/test/proposals">Send a proposal`);
    await owner.get(`${path}/live/leads`);
    expect(await overview()).toContain(`href="${path}/live/proposals">Send a proposal`);
  });
});

describe('the figures', () => {
  test('count new leads by days of the workspace’s time zone, archived ones too', async () => {
    const created = async (at: string) => {
      const { id } = await createLead(client);
      await sql(gala.databaseUrl, 'UPDATE leads SET created_at = $1 WHERE id = $2', [
        at,
        toUuid(id as LeadId),
      ]);
      return id;
    };
    expect(numberUnder(await overview(), 'New in 30 days')).toBe('0');
    // In Madrid, the first is of 2 March, before the 30 days, until half an hour later.
    await created('2027-03-01T22:59:59Z');
    await created('2027-03-01T23:00:00Z');
    await created('2027-03-24T22:59:59Z');
    const archived = await created('2027-03-24T23:00:00Z');
    await created('2027-03-31T09:00:00Z');
    await client.delete(`/v1/leads/${archived}`);
    const text = await overview();
    expect(numberUnder(text, 'New in 7 days')).toBe('2');
    expect(numberUnder(text, 'New in 30 days')).toBe('4');
    expect(text).toMatch(/New leads by day\. 2 Mar: 1, 3 Mar: 0, .*24 Mar: 1, 25 Mar: 1, .*31 Mar: 1</s);
    expect(text.match(/<rect /g)).toHaveLength(30);
  });

  test('sum open proposals by currency, and never across', async () => {
    expect(await overview()).toContain('No proposal waits for an answer.');
    const line = (unitAmount: number) => ({ lineItems: [{ description: 'Hall', unit: 'flat', unitAmount }] });
    await sent(client, { ...line(100_000) });
    await sent(client, { ...line(50_000) });
    await sent(client, { ...line(7000), currency: 'JPY' });
    await draft(client, line(1));
    const { id: withdrawn } = await sent(client, line(1));
    await client.post(`/v1/proposals/${withdrawn}/withdraw`);
    const text = await overview();
    expect(numberUnder(text, 'Value in EUR')).toBe('€1,500.00');
    expect(numberUnder(text, 'Value in JPY')).toBe('JP¥7,000');
    expect(text).toContain('3 proposals wait for an answer.');
  });

  test('tell the win rate as the report of outcomes does', async () => {
    expect(await overview()).toContain('No lead was won or lost.');
    for (const stage of ['confirmed', 'lost', 'lost', 'contacted']) await createLead(client, { stage });
    const old = await createLead(client, { stage: 'lost' });
    await sql(gala.databaseUrl, `UPDATE lead_journeys SET lost_at = $1 WHERE lead_id = $2`, [
      '2026-12-31T22:59:59Z',
      toUuid(old.id as LeadId),
    ]);
    const period = 'from=2027-01-01&to=2027-03-31';
    const { body } = await client.get(`/v1/reports/outcomes?${period}&basis=closed`);
    expect(body.total.winRate).toBeCloseTo(1 / 3);
    const text = await overview();
    expect(numberUnder(text, 'Last 90 days')).toBe('33%');
    expect(text).toContain('1 won, 2 lost.');
    expect(text).toContain(`/test/figures?${period.replace('&', '&amp;')}"`);
  });
});

test('proposals that expire within a week are listed, the next first', async () => {
  const { id: leadId } = await createLead(client, { name: 'Ana', guests: 120 });
  const offer = (title: string, validUntil: string | null) => sent(client, { leadId, title, validUntil });
  await offer('In a week', '2027-04-07');
  await offer('Today', '2027-03-31');
  await offer('Later', '2027-04-08');
  await offer('Without end', null);
  await draft(client, { leadId, title: 'Draft', validUntil: '2027-04-01' });
  const [list] = /<h2>Proposals expiring this week<\/h2>.*?<\/ul>/s.exec(await overview())!;
  expect([...list.matchAll(/ · <bdi>([^<]*)/g)].map(([, title]) => title)).toEqual(['Today', 'In a week']);
  expect(list).toContain('in 7 days');
});

test('today’s visits are counted and listed', async () => {
  const at = (time: string) => `2027-03-31T${time}:00Z`;
  await plan(client, { type: 'visit', title: 'Zoë', startsAt: at('14:30'), endsAt: at('15:30') });
  await plan(client, { type: 'event', title: 'Gala dinner', startsAt: '2027-03-31', endsAt: '2027-04-01' });
  const text = (await overview()).replaceAll('<!-- -->', '');
  expect(text).toContain('1 visit<');
  expect(text).toMatch(/<bdi>Zoë<\/bdi><\/a>\s*<span class="quiet">Visit, 16:30</);
  expect(text).toMatch(/<bdi>Gala dinner<\/bdi><\/a>\s*<span class="quiet">all day</);
});

test('endpoints that receive no events are named to admins, with a link', async () => {
  const hook = async (fields: object) =>
    (await client.post('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'], ...fields })).body
      .id;
  const failing = await hook({ description: 'CRM' });
  const disabled = await hook({ description: 'Old' });
  const paused = await hook({ description: 'Paused' });
  expect(await overview()).not.toContain('receive no events');
  const set = (change: string, description: string) =>
    sql(gala.databaseUrl, `UPDATE webhook_endpoints SET ${change} WHERE description = $1`, [description]);
  await set(`failing_since = '2027-03-30T10:00:00Z'`, 'CRM');
  await set(`status = 'disabled', disabled_reason = 'The endpoint answered 410 Gone.'`, 'Old');
  await client.patch(`/v1/webhooks/${paused}`, { status: 'disabled' });
  const text = await overview();
  expect(text).toContain(`/test/webhooks/${failing}">CRM</a>`);
  expect(text).toContain(`/test/webhooks/${disabled}">Old</a>`);
  expect(text).toContain('The endpoint answered 410 Gone.');
  expect(text).not.toContain(paused);
  await memberOf(gala, workspace.id, MEMBER, 'member');
  expect(await overview(await browserOf(gala, MEMBER))).not.toContain(failing);
});
