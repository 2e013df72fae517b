import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { OPERATOR } from '../../src/kernel/actor';
import { Database } from '../../src/platform/persistence/database';
import { PostgresUnitOfWork } from '../../src/platform/persistence/unit-of-work';
import { RunImport } from '../../src/modules/imports';
import { CalendarEventPolicies } from '../../src/modules/calendar';
import { RemoveMember } from '../../src/modules/workspaces';
import { HandOverJob } from '../../src/modules/workspaces/infrastructure/hand-over-job';
import { assignTo, newMembers } from '../leads/assignment-support';
import { draft, pathOf, sent, visitor } from '../proposals/support';
import { createSpace, plan } from '../support/calendar';
import { ROOT } from '../support/gala-process';
import { createLead } from '../support/leads';
import { addStage } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';
import { act as holdAct, place as placeHold } from '../holds/support';
import { createTask } from '../tasks/support';
import { ownerOf } from '../workspaces/people';

/** The order in the ADR. Tables that it doesn't name are locked by one kind of transaction alone, or hold no others up. */
const ORDER = [
  ...readFileSync(join(ROOT, 'docs/adr/0051-lock-order.md'), 'utf8').matchAll(/^\d+\. [^`]*`(\w+)`/gm),
].map(([, table]) => table!);

const LOCKING =
  /\bFROM\s+"?(\w+)"?(?:(?!\bFROM\b)[^])*?\bFOR (?:NO KEY )?(?:UPDATE|SHARE|KEY SHARE)|\bUPDATE\s+"?(\w+)"?\s+(?:AS \w+ )?SET\b/g;

/** The tables whose rows a statement locks, as far as the ADR orders them. */
function lockedBy(text: string): string[] {
  return [...text.matchAll(LOCKING)]
    .map(([, selected, updated]) => (selected ?? updated)!)
    .filter((table) => ORDER.includes(table));
}

/** The statements of each transaction, in their order. */
const transactions = new Map<object, string[]>();
// eslint-disable-next-line @typescript-eslint/unbound-method -- It is called on the database that it was called on.
const original = Database.prototype.query;
let query: jest.SpyInstance;
let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
  const unitOfWork = gala.app.get(PostgresUnitOfWork, { strict: false });
  query = jest.spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, statement) {
    const { transaction } = unitOfWork;
    if (transaction)
      transactions.set(transaction, [...(transactions.get(transaction) ?? []), statement.text]);
    return original.call(this, statement);
  });
});
afterAll(async () => {
  query.mockRestore();
  await gala.stop();
});

test.each([
  ['SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', ['workspaces']],
  ['SELECT "leads"."id" FROM "leads" WHERE id = $1 ORDER BY id FOR NO KEY UPDATE', ['leads']],
  ['WITH a AS (INSERT INTO events VALUES ($1)) UPDATE "leads" SET stage = $2', ['leads']],
  ['SELECT * FROM leads WHERE id = $1', []],
  ['SELECT FROM memberships WHERE user_id = $1 FOR KEY SHARE', ['memberships']],
])('the rows that %j locks', (text, tables) => expect(lockedBy(text)).toEqual(tables));

test('the ADR names an order', () => {
  expect(ORDER).toEqual(
    expect.arrayContaining(['workspaces', 'spaces', 'proposals', 'leads', 'memberships']),
  );
});

test('whatever locks rows of several tables does so in the order of the ADR', async () => {
  const workspace = await gala.createWorkspace();
  const client = await workspace.client();
  const owner = await ownerOf(gala);
  const members = await newMembers(gala, workspace, 3);
  await assignTo(gala, workspace, 'round_robin', members);
  const lead = await createLead(client, { ownerId: owner.id });
  await createLead(client);
  await client.patch(`/v1/leads/${lead.id}`, { ownerId: members[0]!.id, stage: 'contacted' });

  await addStage(client, 'tasting');
  const batch = [
    { externalId: 'one', email: 'one@example.com', ownerId: members[0]!.id, stage: 'tasting' },
    { externalId: 'two', email: 'two@example.com', stage: 'tasting' },
    { externalId: 'one', stage: 'contacted', ownerId: members[1]!.id },
  ];
  const options = { operation: 'upsert', matchBy: 'externalId' };
  expect((await client.post('/v1/leads/bulk', { ...options, items: batch })).body).toMatchObject({
    failed: 0,
  });
  const again = batch.toReversed().map((item) => ({ ...item, guests: 20 }));
  expect((await client.post('/v1/leads/bulk', { ...options, items: again })).body).toMatchObject({
    failed: 0,
  });

  const imports = gala.app.get(RunImport, { strict: false });
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const file = `externalId,email,stage,owner\none,,tasting,${members[2]!.name}\nthree,a@example.com,,\n`;
  const rows = Readable.from([Buffer.from(file)]);
  const { id: importId } = await imports.check(ref, OPERATOR, { matchBy: 'externalId' }, rows);
  const imported = await imports.start(ref, importId, () => undefined);
  expect(imported).toMatchObject({ created: 1, updated: 1, failed: 0 });

  const { id: proposal } = await draft(client);
  await client.patch(`/v1/proposals/${proposal}`, { title: 'Party' });
  await client.post(`/v1/proposals/${proposal}/send`);
  const { body: revised } = await client.post(`/v1/proposals/${proposal}/revise`);
  await client.post(`/v1/proposals/${revised.id}/send`);
  await client.post(`/v1/proposals/${revised.id}/withdraw`);
  const page = pathOf(await sent(client));
  await visitor(gala.baseUrl).submit(`${page}/accept`, { name: 'Ana', consent: 'yes' }, { on: page });

  const spaces = [await createSpace(client), await createSpace(client, { name: 'Barn' })];
  const event = await plan(client, { leadId: lead.id, spaceIds: spaces.map(({ id }) => id).reverse() });
  await client.patch(`/v1/calendar-events/${event.id}`, { title: 'Party', spaceIds: [spaces[1]!.id] });
  // A visit takes no space, but a policy can make it an event, which does.
  gala.app
    .get(CalendarEventPolicies, { strict: false })
    .add({ name: 'visits take spaces', beforeCreate: () => ({ type: 'event' }) });
  const place = { startsAt: '2027-02-03T10:00:00Z', spaceId: spaces[0]!.id };
  const visit = await client.post(`/v1/leads/${lead.id}/visits`, place);
  expect(visit).toMatchObject({ status: 201, body: { type: 'event' } });
  await client.delete(`/v1/calendar-events/${event.id}`);
  await client.delete(`/v1/spaces/${spaces[0]!.id}`);

  const saturday = { startsAt: '2927-06-12T10:00:00Z', endsAt: '2927-06-12T12:00:00Z' };
  const queue = { ...saturday, leadId: lead.id, spaceIds: [spaces[1]!.id] };
  const [first, second, third] = [
    await placeHold(client, queue),
    await placeHold(client, queue),
    await placeHold(client, queue),
  ];
  expect((await holdAct(client, second, 'challenge')).status).toBe(200);
  const moved = { startsAt: '2927-06-12T11:00:00Z', endsAt: '2927-06-12T13:00:00Z', leadId: lead.id };
  expect((await client.patch(`/v1/holds/${first.id}`, moved)).status).toBe(200);
  expect((await holdAct(client, third, 'release')).status).toBe(200);
  expect((await holdAct(client, second, 'confirm')).status).toBe(200);
  const last = await placeHold(client, { ...queue, startsAt: '2927-06-14', endsAt: '2927-06-15' });
  await plan(client, {
    spaceId: spaces[1]!.id,
    startsAt: '2927-06-14',
    endsAt: '2927-06-15',
    overHolds: true,
  } as object);
  expect((await client.get(`/v1/holds/${last.id}`)).body.status).toBe('released');

  const task = await createTask(client, { assigneeId: members[1]!.id });
  await client.patch(`/v1/tasks/${task.id}`, { leadId: lead.id, assigneeId: members[0]!.id });

  const browser = await workspace.browser();
  const removal = `/settings/${workspace.id}/members/${members[1]!.id}/remove`;
  await browser.submit(removal, { successor: members[0]!.id }, { on: removal });
  await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, owner, members[0]!.id, owner.id);
  await gala.app.get(HandOverJob, { strict: false }).runAll();

  const orders = [...transactions.values()].map((texts) => texts.flatMap(lockedBy));
  const together = new Set(orders.flatMap((order) => (new Set(order).size > 1 ? order : [])));
  expect([...together]).toEqual(
    expect.arrayContaining([
      ...['imports', 'workspaces', 'hold_queues', 'spaces', 'proposals', 'leads', 'memberships'],
    ]),
  );
  const faulty = orders.filter((order) => {
    const places = order.map((table) => ORDER.indexOf(table));
    const first = places.filter((place, index) => places.indexOf(place) === index);
    return first.join() !== first.toSorted((one, other) => one - other).join();
  });
  expect(faulty).toEqual([]);
});
