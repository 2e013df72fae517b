import { setTimeout as sleep } from 'node:timers/promises';
import { fromUuid, newId, toUuid } from '../../src/kernel/ids';
import type { Change } from '../support/change-feed';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { onConnection } from '../support/sql';
import { Installation, until } from './support';

const KILLS = 20;
const WRITERS = 12;
const SHARED_LEADS = 8;
/** Transactions beside the services, which stay open while others commit. */
const SLOW_WRITERS = 3;

let installation: Installation;
let services: ServiceProcess[];
let isOver = false;
/** Nothing more can be written. */
let isQuiet = false;
/** What a service has confirmed to have created. */
const confirmed = new Set<string>();
let changed = 0;

beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

const start = () => installation.startService({ RATE_LIMIT_READS: '1000000000' });
const anyClient = () => {
  const { baseUrl } = services[Math.floor(Math.random() * services.length)]!;
  return new Client(baseUrl, installation.client.key);
};

/** Resolves to undefined when the service is killed before its answer. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    await sleep(20);
    return undefined;
  }
}

/** Creates leads, and changes those that all writers share. */
async function write(leads: readonly string[]): Promise<void> {
  while (!isOver) {
    const isNew = Math.random() < 0.5;
    const headers = Math.random() < 0.5 ? { 'Idempotency-Key': newId('evt') } : {};
    const lead = leads[Math.floor(Math.random() * leads.length)]!;
    const guests = 1 + Math.floor(Math.random() * 100_000);
    const answer = await attempt(() =>
      isNew
        ? anyClient().post('/v1/leads', { email: 'ana@example.com' }, { headers })
        : anyClient().patch(`/v1/leads/${lead}`, { guests }),
    );
    if (answer?.status === 201) confirmed.add(answer.body.id);
    if (answer?.status === 200) changed++;
    if (answer && answer.status >= 400) expect(answer.status).toBe(503);
  }
}

/** Appends events in transactions that began long before they end. */
function writeSlowly(): Promise<void> {
  return onConnection(installation.databaseUrl, async (connection) => {
    while (!isOver) {
      await connection.query('BEGIN');
      await connection.query('SELECT pg_current_xact_id()');
      await sleep(200 * Math.random());
      for (let count = 0; count < 3; count++) {
        await connection.query(
          `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
           VALUES ($1, 'test', $2, 'lead.created', now(), $3)`,
          [toUuid(installation.workspace.id), toUuid(newId('evt')), JSON.stringify({ id: newId('lead') })],
        );
      }
      await sleep(100 * Math.random());
      await connection.query(Math.random() < 0.2 ? 'ROLLBACK' : 'COMMIT');
      await sleep(50 * Math.random());
    }
  });
}

/** Reads on from a position, an answer at a time, until there is no more once nothing is written. */
async function follow(position: string): Promise<Change[]> {
  const changes: Change[] = [];
  let after = position;
  for (;;) {
    const isLast = isQuiet;
    const limit = 1 + Math.floor(Math.random() * 100);
    const answer = await attempt(() =>
      anyClient().get(`/v1/changes?types=lead.*&limit=${limit}&after=${after}`),
    );
    if (!answer || answer.status === 503) continue;
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
    changes.push(...answer.body.data);
    after = answer.body.position;
    if (isLast && !answer.body.hasMore) return changes;
    if (!answer.body.hasMore) await sleep(10);
  }
}

/** Half of the kills are of each instance, so at times both are away. */
async function killOften(slot: number): Promise<void> {
  for (let kill = 0; kill < KILLS / 2; kill++) {
    const enough = confirmed.size + 20 * Math.random();
    await until(() => confirmed.size >= enough, { withinMs: 120_000, everyMs: 5 });
    await services[slot]!.kill();
    services[slot] = await start();
  }
}

/** The database goes on with statements of killed services. */
async function hasNoOpenTransaction(): Promise<boolean> {
  const open = await installation.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`,
  );
  return open.length === 0;
}

test(`a walk beside ${WRITERS} writers, two instances and ${KILLS} kills misses nothing and repeats nothing`, async () => {
  services = [await start(), await start()];
  const { position } = (await anyClient().get('/v1/changes?after=now')).body;
  const leads: string[] = [];
  while (leads.length < SHARED_LEADS) {
    leads.push((await anyClient().post('/v1/leads', { email: 'ana@example.com' })).body.id);
  }
  const walks = [follow(position), follow(position)];
  const writers = [
    ...Array.from({ length: WRITERS }, () => write(leads)),
    ...Array.from({ length: SLOW_WRITERS }, () => writeSlowly()),
  ];
  await Promise.all([killOften(0), killOften(1)]);
  isOver = true;
  await Promise.all(writers);
  await until(hasNoOpenTransaction, { withinMs: 60_000 });
  isQuiet = true;
  const walked = await Promise.all(walks);

  const stored = await installation.sql<{ id: string }>(
    `SELECT id FROM events WHERE type LIKE 'lead.%' AND workspace_id = $1`,
    [toUuid(installation.workspace.id)],
  );
  const storedIds = stored.map(({ id }) => fromUuid('evt', id)).sort();
  for (const changes of walked) {
    expect(changes.map(({ id }) => id).sort()).toEqual(storedIds);
    const created = new Set(changes.filter(({ type }) => type === 'lead.created').map(({ data }) => data.id));
    expect([...confirmed].filter((id) => !created.has(id))).toEqual([]);
    for (const lead of leads) expectChain(changes.filter(({ data }) => data.id === lead));
  }
  expect(walked[0]!.map(({ id }) => id)).toEqual(walked[1]!.map(({ id }) => id));
  expect(changed).toBeGreaterThan(KILLS);
  console.info(`${storedIds.length} events, ${confirmed.size} leads and ${changed} changes confirmed`);
});

/** Each change begins with what the one before it has left. */
function expectChain(changes: Change[]): void {
  expect(changes[0]!.type).toBe('lead.created');
  for (const [index, { previous }] of changes.slice(1).entries()) {
    expect(previous.guests).toBe(changes[index]!.data.guests);
  }
}
