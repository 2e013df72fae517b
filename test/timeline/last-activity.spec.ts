import { Clock } from '../../src/kernel/clock';
import { log } from '../activities/support';
import { draft, send } from '../proposals/support';
import { plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { createTask } from '../tasks/support';

const clock = new FakeClock('2027-01-15T09:30:00.000Z');
let gala: TestGala;
let client: Client;
let owner: PageClient;
let leads: string;
let leadId: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  const workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  owner = await browserOf(gala, 'owner@example.com');
  leads = `/settings/${workspace.id}/test/leads`;
  leadId = (await createLead(client, { phone: '+15005550001', guests: 100 })).id;
});

/** The times in the column, row by row. */
const lastActivities = async (query = '') =>
  [
    ...(await owner.get(leads + query)).text.matchAll(
      /data-title="Last activity"><div><time datetime="([^"]+)"/g,
    ),
  ].map(([, at]) => at);
const now = () => clock.now().toISOString();

test('a lead that nothing happened to shows when it was created', async () => {
  expect(await lastActivities()).toEqual([now()]);
});

test('everything that its timeline tells counts, each for its own lead', async () => {
  const created = now();
  const changes: [string, () => Promise<unknown>][] = [
    ['a note', () => log(client, leadId, { text: 'Called back' })],
    ['a change of stage', () => client.patch(`/v1/leads/${leadId}`, { stage: 'contacted' })],
    ['a message', () => client.post('/v1/messages', { leadId, text: 'Hello' })],
    [
      'a sent proposal',
      async () => {
        const { id } = await draft(client, { leadId });
        await send(client, id);
      },
    ],
    [
      'a completed task',
      async () => {
        const { id } = await createTask(client, { leadId });
        await client.post(`/v1/tasks/${id}/complete`);
      },
    ],
  ];
  for (const [what, change] of changes) {
    clock.advance(60);
    await change();
    const [at] = await lastActivities('?sort=createdAt');
    // Several changes at one time are a millisecond apart.
    expect({ what, at: at!.slice(0, 16) }).toEqual({ what, at: now().slice(0, 16) });
  }
  await createLead(client);
  expect(await lastActivities('?sort=createdAt')).toContain(now());
  expect(await lastActivities('?sort=createdAt')).not.toContain(created);
});

test('a visit counts once it has begun, and never when it was cancelled', async () => {
  const created = now();
  const startsAt = clock.in(3600);
  const visit = { leadId, type: 'visit', startsAt, endsAt: clock.in(7200) } as const;
  const { id } = await plan(client, visit);
  expect(await lastActivities()).toEqual([created]);
  clock.advance(4000);
  expect(await lastActivities()).toEqual([new Date(startsAt).toISOString()]);
  await client.delete(`/v1/calendar-events/${id}`);
  expect(await lastActivities()).toEqual([created]);
});

test('cards of the board don’t show it', async () => {
  const { text } = await owner.get(`${leads}?view=board`);
  expect(text).not.toContain(clock.now().toISOString());
});

test('archived leads are behind a link, and their page leads back', async () => {
  const { text } = await owner.get(`${leads}?sort=name&stage=contacted`);
  expect(text).toContain(`href="${leads}?sort=name&amp;archived=true">Archived</a>`);
  await client.delete(`/v1/leads/${leadId}`);
  expect(await lastActivities()).toEqual([]);
  expect(await lastActivities('?archived=true')).toHaveLength(1);
  const archived = (await owner.get(`${leads}?archived=true`)).text;
  expect(archived).toContain(`href="${leads}">List</a>`);
  expect(archived).toMatch(/aria-current="page"[^>]*>Archived</);
});
