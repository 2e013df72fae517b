import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { LeadJourneys1868000000000 } from '../../migrations/1868000000000-lead-journeys';
import { storedJourney, storedStays, uuidOf } from '../reports/support';
import { log } from '../activities/support';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const { name } = LeadJourneys1868000000000;

let gala: TestGala;
let workspace: TestWorkspace;
let dataSource: DataSource;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  dataSource = await createDataSource({ url: gala.databaseUrl, poolSize: 1 }).initialize();
  while (await isApplied()) await dataSource.undoLastMigration();
});
afterAll(async () => {
  await dataSource.destroy();
  await gala.stop();
});

const isApplied = async () =>
  (await sql(gala.databaseUrl, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;

const staysOf = (id: string) => storedStays(gala.databaseUrl, id);
const journeyOf = (id: string) => storedJourney(gala.databaseUrl, id);

test('leads of the release before get the stays that their events tell of', async () => {
  const client = await workspace.client();
  const moved = await createLead(client);
  const times: Date[] = [];
  for (const stage of ['contacted', 'new_enquiry', 'confirmed', 'completed']) {
    const { body } = await client.patch(`/v1/leads/${moved.id}`, { stage });
    times.push(new Date(body.updatedAt as string));
  }
  const unmoved = await createLead(client, { source: 'fair' });
  const placed = await createLead(client, { stage: 'negotiation' });
  const called = await createLead(client);
  await log(client, called.id, { direction: 'out' });
  const unknown = await createLead(client, { stage: 'contacted' });
  const old = await createLead(client);
  const { body } = await client.patch(`/v1/leads/${old.id}`, { stage: 'lost' });
  await sql(
    gala.databaseUrl,
    `UPDATE leads SET created_at = created_at - interval '40 days' WHERE id = ANY ($1)`,
    [[uuidOf(old.id), uuidOf(unknown.id)]],
  );

  await dataSource.runMigrations();

  const created = new Date(moved.createdAt);
  expect(await staysOf(moved.id)).toEqual([
    {
      ...{ number: -4, stage: 'new_enquiry', entered_at: created, left_at: times[0] },
      ...{ to_stage: 'contacted', is_last: false },
    },
    {
      ...{ number: -3, stage: 'contacted', entered_at: times[0], left_at: times[1] },
      ...{ to_stage: 'new_enquiry', is_last: true },
    },
    {
      ...{ number: -2, stage: 'new_enquiry', entered_at: times[1], left_at: times[2] },
      ...{ to_stage: 'confirmed', is_last: true },
    },
    {
      ...{ number: -1, stage: 'confirmed', entered_at: times[2], left_at: times[3] },
      ...{ to_stage: 'completed', is_last: true },
    },
  ]);
  const journey = await journeyOf(moved.id);
  expect(journey).toMatchObject({
    ...{ stay: 0, stage: 'completed', entered_at: times[3], won_at: times[2], lost_at: null },
    ...{ outcome: 'won', is_excluded: false, responded_at: times[0], response_kind: 'stage' },
    awaiting_since: null,
  });
  expect((journey.visited as string[]).toSorted()).toEqual([
    'completed',
    'confirmed',
    'contacted',
    'new_enquiry',
  ]);
  expect(await journeyOf(unmoved.id)).toMatchObject({
    ...{ source: 'fair', stay: 0, stage: 'new_enquiry', entered_at: new Date(unmoved.createdAt) },
    ...{ is_excluded: false, responded_at: null, awaiting_since: new Date(unmoved.createdAt) },
  });
  expect(await journeyOf(placed.id)).toMatchObject({ is_excluded: true, awaiting_since: null });
  // It moved on before changes named who made them.
  expect(await journeyOf(unknown.id)).toMatchObject({ is_excluded: true, responded_at: null });
  expect(await journeyOf(called.id)).toMatchObject({ response_kind: 'activity', awaiting_since: null });

  // The beginning of its first stay is older than the events that are kept.
  const left = new Date(body.updatedAt as string);
  expect(await staysOf(old.id)).toMatchObject([{ stage: 'new_enquiry', entered_at: null, left_at: left }]);
  expect(await journeyOf(old.id)).toMatchObject({ entered_at: left, lost_at: left, is_excluded: false });

  const { body: back } = await client.patch(`/v1/leads/${moved.id}`, { stage: 'contacted' });
  const stays = await staysOf(moved.id);
  expect(stays.at(-1)).toMatchObject({
    ...{ number: 0, stage: 'completed', entered_at: times[3], left_at: new Date(back.updatedAt as string) },
  });
  expect(stays.map(({ is_last }) => is_last)).toEqual([false, false, true, true, true]);
});

test('a change while the backfill runs is recorded once', async () => {
  while (await isApplied()) await dataSource.undoLastMigration();
  const client = await workspace.client();
  const lead = await createLead(client);
  const { body: first } = await client.patch(`/v1/leads/${lead.id}`, { stage: 'contacted' });
  let second: { updatedAt?: string } = {};
  const original = dataSource.createQueryRunner.bind(dataSource);
  const spy = jest.spyOn(dataSource, 'createQueryRunner').mockImplementation((...parameters) => {
    const runner = original(...parameters);
    const query = runner.query.bind(runner) as (...call: [text: string]) => Promise<unknown>;
    runner.query = (async (...call: [text: string]) => {
      // The triggers are there, and the backfill hasn't begun.
      if (call[0].includes('CREATE TEMP TABLE moves_before')) {
        second = (await client.patch(`/v1/leads/${lead.id}`, { stage: 'lost' })).body as object;
      }
      return query(...call);
    }) as typeof runner.query;
    return runner;
  });
  await dataSource.runMigrations();
  spy.mockRestore();

  const [movedOn, lost] = [first, second].map(({ updatedAt }) => new Date(updatedAt as string));
  expect(await staysOf(lead.id)).toMatchObject([
    { number: -1, stage: 'new_enquiry', entered_at: new Date(lead.createdAt), left_at: movedOn },
    { number: 0, stage: 'contacted', entered_at: movedOn, left_at: lost, to_stage: 'lost' },
  ]);
  expect(await journeyOf(lead.id)).toMatchObject({ stay: 1, stage: 'lost', entered_at: lost, lost_at: lost });
});
