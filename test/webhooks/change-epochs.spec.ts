import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { followCluster } from '../../src/platform/outbox/event-epoch';
import { presentPosition, walkChanges } from '../support/change-feed';
import { createDatabase } from '../support/database';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { eventually } from '../support/until';

let gala: TestGala;
let client: Client;
let start: string;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  await follow();
  client = await (await gala.createWorkspace()).client('test');
  await eventually(async () => {
    start = await presentPosition(client);
    expect((await walkChanges(client, { after: start })).changes).toEqual([]);
  });
});

const seen = async (after = start) =>
  (await walkChanges(client, { after, types: 'lead.*' })).changes.map(({ data }) => data.id);
const makeLead = async () => (await createLead(client)).id;

const follow = (url = gala.databaseUrl) => followCluster((text) => sql(url, text));
const epochs = (url = gala.databaseUrl) =>
  sql<{ epoch: number; key: string }>(url, 'SELECT epoch, key FROM event_epochs ORDER BY epoch');
const lastEpoch = async () => (await epochs()).at(-1)!.epoch;
/** As after a restore: the last known epoch began in another cluster, and all sessions are new. */
async function move(cluster: string | null = 'another'): Promise<void> {
  await sql(
    gala.databaseUrl,
    'UPDATE event_epochs SET cluster = $1 WHERE epoch = (SELECT max(epoch) FROM event_epochs)',
    [cluster],
  );
  await renewSessions();
}

async function renewSessions(): Promise<void> {
  await sql(
    gala.databaseUrl,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  // The service notices the end of its idle connections, one by one.
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/v1/leads?limit=1')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
}

/** The same position, of a transaction that is far ahead. */
function ahead(position: string): string {
  const [feed, epoch, transaction, ...rest] = Buffer.from(position, 'base64url').toString().split('.');
  const later = BigInt(transaction!) + 1_000_000_000_000n;
  return Buffer.from([feed, epoch, later, ...rest].join('.')).toString('base64url');
}

async function expectReplaced(position: string): Promise<void> {
  const refused = await client.get(`/v1/changes?after=${position}`);
  expectInvalid(refused, 'after');
  expect(refused.body.error.message).toMatch(/replaced by an older one.*The first time/);
}

test('positions of a known epoch hold in another cluster, whose transaction ids are lower', async () => {
  const before = await lastEpoch();
  const restored = [await makeLead(), await makeLead()];
  await eventually(async () => expect(await seen()).toEqual(restored));
  const { position } = await walkChanges(client, { after: start });
  await sql(gala.databaseUrl, 'UPDATE events SET settles_with = settles_with + 1000000000000');
  const stored = ahead(position);
  // In the epoch of the former cluster, such a transaction is yet to come.
  await expectReplaced(stored);

  await move();
  await follow();
  expect(await lastEpoch()).toBe(before + 1);
  const later = await makeLead();
  await eventually(async () => expect(await seen(stored)).toEqual([later]));
  await eventually(async () => expect(await seen()).toEqual([...restored, later]));
});

test.each([['another'], [null]])('events are in the next epoch at once: cluster %s', async (cluster) => {
  const before = await lastEpoch();
  await move(cluster);
  const lead = await makeLead();
  const [event] = await sql<{ epoch: number }>(
    gala.databaseUrl,
    `SELECT epoch FROM events WHERE data->>'id' = $1`,
    [lead],
  );
  expect(event!.epoch).toBe(before + 1);
  // Their positions have no key yet.
  expect(await seen()).toEqual([]);
  await follow();
  await eventually(async () => expect(await seen()).toEqual([lead]));
});

test('events of the former epoch that no position can follow any more are read before those of the next', async () => {
  const former = await makeLead();
  await sql(gala.databaseUrl, 'UPDATE events SET settles_with = settles_with + 1000000000000');
  expect(await seen()).toEqual([]);
  await move();
  expect(await seen()).toEqual([former]);
});

test('a second restore of the same backup refuses positions of the first', async () => {
  await move();
  await follow();
  await makeLead();
  const position = await eventually(async () => {
    const walked = await walkChanges(client, { after: start, types: 'lead.*' });
    expect(walked.changes).toHaveLength(1);
    return walked.position;
  });
  expect(await seen(position)).toEqual([]);

  const restored = 'DELETE FROM event_epochs WHERE epoch = (SELECT max(epoch) FROM event_epochs)';
  await sql(gala.databaseUrl, restored);
  await renewSessions();
  await expectReplaced(position);
  await follow();
  await expectReplaced(position);
  expect(await seen(start)).toHaveLength(1);
});

test('two databases restored from one backup have epochs of the same numbers, with other keys', async () => {
  const copies = [await createDatabase(), await createDatabase()];
  try {
    for (const { url } of copies) await follow(url);
    const [one, other] = [await epochs(copies[0]!.url), await epochs(copies[1]!.url)];
    expect(one.map(({ epoch }) => epoch)).toEqual(other.map(({ epoch }) => epoch));
    expect(one.slice(0, -1)).toEqual(other.slice(0, -1));
    expect(one.at(-1)!.key).not.toBe(other.at(-1)!.key);
    expect(new Set(one.map(({ key }) => key)).size).toBe(one.length);
  } finally {
    for (const copy of copies) await copy.drop();
  }
});

test('a move begins one epoch, however many instances notice it', async () => {
  const before = await lastEpoch();
  await follow();
  expect(await lastEpoch()).toBe(before);
  await move();
  await Promise.all(Array.from({ length: 8 }, () => follow()));
  await follow();
  expect(await lastEpoch()).toBe(before + 1);
});

test('a running service notices a move', async () => {
  const before = await lastEpoch();
  gala.app.get(BackgroundJobs).start();
  for (const epoch of [before + 1, before + 2]) {
    await move();
    await eventually(async () => expect(await lastEpoch()).toBe(epoch));
  }
});
