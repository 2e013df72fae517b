import fc from 'fast-check';
import { createDataSource } from '../../ormconfig';
import type { Client as Connection } from 'pg';
import { type LeadId, toUuid } from '../../src/kernel/ids';
import { LeadsAtAnySize1804000000000 } from '../../migrations/1804000000000-leads-at-any-size';
import { SearchByWordsFirst1808000000000 } from '../../migrations/1808000000000-search-by-words-first';
import { TextKeys1820000000000 } from '../../migrations/1820000000000-text-keys';
import { LostReasons1833000000000 } from '../../migrations/1833000000000-lost-reasons';
import { DropReplacedIndexes1825000000000 } from '../../migrations/1825000000000-drop-replaced-indexes';
import { CustomValues1857000000000 } from '../../migrations/1857000000000-custom-values';
import { LeadJourneys1868000000000 } from '../../migrations/1868000000000-lead-journeys';
import { FirstResponses1868100000000 } from '../../migrations/1868100000000-first-responses';
import { ResponseTargets1868200000000 } from '../../migrations/1868200000000-response-targets';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { onConnection, sql } from '../support/sql';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';

jest.setTimeout(120_000);

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));

interface Count {
  workspace_id: string;
  mode: string;
  archived: boolean;
  stage: string;
  leads: string;
}
const GROUPED = 'GROUP BY 1, 2, 3, 4 HAVING';
const ORDERED = 'ORDER BY 1, 2, 3, 4';

/** Of every workspace of the database: none may be touched by another's changes. */
const counted = () =>
  sql<Count>(
    gala.databaseUrl,
    `SELECT workspace_id, mode, archived, stage, sum(leads)::int AS leads FROM lead_counts ${GROUPED} sum(leads) <> 0 ${ORDERED}`,
  );
const there = () =>
  sql<Count>(
    gala.databaseUrl,
    `SELECT workspace_id, mode, archived_at IS NOT NULL AS archived, stage, count(*)::int AS leads FROM leads ${GROUPED} true ${ORDERED}`,
  );
const expectExact = async () => expect(await counted()).toEqual(await there());

const STAGES = ['new_enquiry', 'contacted', 'confirmed', 'lost'];
const PARALLEL = 8;

type Change =
  | { kind: 'create' | 'stage'; of: number; stage: string }
  | { kind: 'archive' | 'restore' | 'rename'; of: number };
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('create' as const, 'stage' as const),
    of: fc.nat(9),
    stage: fc.constantFrom(...STAGES),
  }),
  fc.record({
    kind: fc.constantFrom('archive' as const, 'restore' as const, 'rename' as const),
    of: fc.nat(9),
  }),
);

async function carryOut(changes: Change[], ids: string[], clients: Client[]): Promise<void> {
  const waiting = changes.entries();
  const work = async () => {
    for (const [index, asked] of waiting) {
      const caller = clients[index % clients.length]!;
      const path = `/v1/leads/${ids[asked.of % ids.length]}`;
      if (asked.kind === 'create') await createLead(caller, { stage: asked.stage });
      if (asked.kind === 'stage') await client.patch(path, { stage: asked.stage });
      if (asked.kind === 'rename') await client.patch(path, { name: `Name ${index}` });
      if (asked.kind === 'archive') await client.delete(path);
      if (asked.kind === 'restore') await client.post(`${path}/restore`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

test('whatever happens at once, what is counted is what is there, and so are the totals', async () => {
  const clients = [client, await workspace.client('test'), await (await gala.createWorkspace()).client()];
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push((await createLead(client)).id);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 40, maxLength: 60 }), async (changes) => {
      await carryOut(changes, ids, clients);
      await expectExact();
    }),
    { numRuns: 8 },
  );
  for (const stage of [undefined, ...STAGES]) {
    for (const archived of ['false', 'true', 'all']) {
      const asked = { limit: 100, archived, ...(stage && { stage }) };
      const { data, pagination } = (await list(client, asked)).body;
      expect(pagination.total).toBeLessThanOrEqual(100 * pagination.pages);
      // A filter that every lead meets is counted the plain way.
      const scanned = (await list(client, { ...asked, q: 'example' })).body;
      expect(pagination).toMatchObject({ total: scanned.pagination.total });
      expect(data).toEqual(scanned.data);
    }
  }
});

test('what is rolled back was never counted, in part or as a whole', async () => {
  await Promise.all(Array.from({ length: 12 }, () => createLead(client)));
  const before = await counted();
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(`UPDATE leads SET stage = 'lost'`);
    await connection.query('SAVEPOINT midway');
    await connection.query(`UPDATE leads SET archived_at = now()`);
    await connection.query('ROLLBACK TO midway');
    await createLead(client);
    await connection.query('ROLLBACK');
  });
  await createLead(client);
  expect(before).toHaveLength((await counted()).length);
  await expectExact();
});

test('a transaction that stays open keeps nobody from creating', async () => {
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(
      `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), NULL, 'a@b.test', NULL, NULL, NULL, NULL, 'new_enquiry', '{}', NULL, now(), now(), 'a@b.test'`,
      [toUuid(workspace.id)],
    );
    await Promise.all(Array.from({ length: 12 }, () => createLead(client)));
    expect((await list(client)).body.pagination.total).toBe(12);
    await connection.query('COMMIT');
  });
  expect((await list(client)).body.pagination.total).toBe(13);
  await expectExact();
});

test('transactions that change several leads in opposite orders never wait for each other’s counts', async () => {
  const leads = await Promise.all(STAGES.map((stage) => createLead(client, { stage })));
  const move = (connection: Connection, from: number, to: number) =>
    connection.query(`UPDATE leads SET stage = $1 WHERE id = $2`, [
      STAGES[to],
      toUuid(leads[from]!.id as LeadId),
    ]);
  await onConnection(gala.databaseUrl, (one) =>
    onConnection(gala.databaseUrl, async (other) => {
      for (const connection of [one, other]) {
        await connection.query('BEGIN');
        await connection.query(`SET LOCAL lock_timeout = '5s'`);
      }
      await move(one, 0, 1);
      await move(other, 3, 2);
      await move(one, 2, 3);
      await move(other, 1, 0);
      await one.query('COMMIT');
      await other.query('COMMIT');
    }),
  );
  await expectExact();
});

test('bulk changes are counted too, deletions among them', async () => {
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), NULL, 'a@b.test', NULL, NULL, NULL, NULL,
       CASE WHEN n % 3 = 0 THEN 'lost' ELSE 'contacted' END, '{}', CASE WHEN n % 5 = 0 THEN now() END, now(), now(), 'a@b.test'
     FROM generate_series(1, 1000) AS n`,
    [toUuid(workspace.id)],
  );
  expect((await list(client, { archived: 'true', stage: 'lost' })).body.pagination.total).toBe(66);
  await sql(gala.databaseUrl, `UPDATE leads SET stage = 'lost' WHERE archived_at IS NOT NULL`);
  await sql(gala.databaseUrl, `DELETE FROM leads WHERE stage = 'lost' AND workspace_id = $1`, [
    toUuid(workspace.id),
  ]);
  expect((await list(client, { archived: 'all' })).body.pagination.total).toBe(533);
  await expectExact();
});

test('the migration counts what is there already', async () => {
  const ids = await Promise.all(STAGES.map(async (stage) => (await createLead(client, { stage })).id));
  await client.delete(`/v1/leads/${ids[1]}`);
  const dataSource = await createDataSource({ url: gala.databaseUrl, poolSize: 1 }).initialize();
  const runner = dataSource.createQueryRunner();
  const migration = new LeadsAtAnySize1804000000000();
  const later = [
    new SearchByWordsFirst1808000000000(),
    new TextKeys1820000000000(),
    new DropReplacedIndexes1825000000000(),
    new LostReasons1833000000000(),
    new CustomValues1857000000000(),
    new LeadJourneys1868000000000(),
    new FirstResponses1868100000000(),
    new ResponseTargets1868200000000(),
  ];
  for (const one of later.toReversed()) await one.down(runner);
  await migration.down(runner);
  await sql(gala.databaseUrl, `UPDATE leads SET stage = 'completed' WHERE stage = 'lost'`);
  await runner.startTransaction();
  await migration.up(runner);
  await runner.commitTransaction();
  for (const one of later) await one.up(runner);
  await runner.release();
  await dataSource.destroy();
  await expectExact();
  await createLead(client);
  await expectExact();
});
