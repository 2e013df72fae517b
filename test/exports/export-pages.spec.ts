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
