import { draft, send } from '../proposals/support';
import { plan } from '../support/calendar';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { parseCsv } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora', `${Math.random()}@example.com`);
  client = await workspace.client();
});

/** The ids in the file that a page links to, or undefined without a link. */
async function exportedFrom(page: string): Promise<string[] | undefined> {
  const browser = await workspace.browser('member');
  const { status, text } = await browser.get(`/settings/${workspace.id}/live/${page}`);
  expect(status).toBe(200);
  const link = /href="([^"]*\/export[^"]*)"/.exec(text)?.[1];
  if (!link) return undefined;
  const file = await browser.get(link.replaceAll('&amp;', '&'));
  expect(file.status).toBe(200);
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
  expect(file.headers['x-content-type-options']).toBe('nosniff');
  expect(file.headers['cache-control']).toBe('no-store');
  const [header, ...rows] = parseCsv(file.text);
  expect(header![0]).toBe('id');
  return rows.map(([id]) => id!);
}

test('the pipeline links to a file of all leads that aren’t archived', async () => {
  expect(await exportedFrom('pipeline')).toBeUndefined();
  const ids = [(await createLead(client)).id, (await createLead(client, { stage: 'lost' })).id];
  const { id } = await createLead(client);
  await client.delete(`/v1/leads/${id}`);
  await createLead(await workspace.client('test'));
  expect(await exportedFrom('pipeline')).toEqual(ids.toReversed());
});

test('the list of proposals links to a file of the proposals with the chosen status', async () => {
  expect(await exportedFrom('proposals')).toBeUndefined();
  const first = await draft(client);
  const second = await send(client, (await draft(client)).id as string);
  expect(await exportedFrom('proposals')).toEqual([second.id, first.id]);
  expect(await exportedFrom('proposals?status=sent')).toEqual([second.id]);
});

test('and of those that a search or a lead leaves, on all pages of the list', async () => {
  const { id: leadId } = await createLead(client, { name: 'Alexandra Montgomery', guests: 120 });
  const ids: string[] = [];
  for (let count = 0; count < 51; count++)
    ids.push((await draft(client, { leadId, title: `Offer ${count}` })).id);
  const other = await draft(client, { title: 'Birthday' });
  expect(await exportedFrom('proposals?q=montgomery')).toEqual(ids.toReversed());
  expect(await exportedFrom('proposals?q=birthday&sort=total')).toEqual([other.id]);
  // One has the number 50, and the other the title “Offer 50”.
  expect(await exportedFrom(`proposals?lead=${leadId}&status=draft&q=50`)).toEqual([ids[50], ids[49]]);
  expect(await exportedFrom(`proposals?lead=${other.leadId}&q=offer`)).toBeUndefined();
});

test('the list of leads exports those that its filters leave, on all of its pages', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 26; count++)
    ids.push((await createLead(client, { tags: ['fair'], stage: 'contacted' })).id);
  const other = await createLead(client, { name: 'Ben', guests: 30 });
  const archived = await createLead(client, { tags: ['fair'] });
  await client.delete(`/v1/leads/${archived.id}`);
  expect(await exportedFrom('leads')).toEqual([other.id, ...ids.toReversed()]);
  expect(await exportedFrom('leads?tag=fair')).toEqual(ids.toReversed());
  expect(await exportedFrom('leads?stage=contacted&sort=name')).toEqual(ids.toReversed());
  expect(await exportedFrom('leads?q=ben&guests=1-50')).toEqual([other.id]);
  expect(await exportedFrom('leads?archived=true')).toEqual([archived.id]);
  expect(await exportedFrom('leads?owner=me')).toEqual([]);
  expect(await exportedFrom('leads?view=board&tag=fair')).toEqual(ids.toReversed());
  expect(await exportedFrom('leads?stage=unknown')).toHaveLength(27);
  const browser = await workspace.browser('member');
  const page = async (query: string) =>
    (await browser.get(`/settings/${workspace.id}/live/leads${query}`)).text;
  expect(await page('')).toContain('>Export all<');
  for (const query of ['?tag=fair', '?view=board&tag=fair']) {
    expect(await page(query)).toContain('>Export these 26<');
  }
});

test('the calendar links to a file of the weeks that it shows', async () => {
  expect(await exportedFrom('calendar?month=2027-06')).toBeUndefined();
  const times = ['2027-05-30', '2027-05-31', '2027-07-04', '2027-07-05'];
  const events = [];
  for (const day of times) {
    const event = { type: 'visit', startsAt: `${day}T10:00:00Z`, endsAt: `${day}T11:00:00Z` };
    events.push(await plan(client, event));
  }
  expect(await exportedFrom('calendar?month=2027-06')).toEqual([events[1]!.id, events[2]!.id]);
});

test('a person’s second export at the same time is a page that says to wait', async () => {
  await createLead(client);
  const browser = await workspace.browser('member');
  const path = `/settings/${workspace.id}/live/leads/export`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => browser.get(path)));
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { status, headers } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(429);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
});
