import type { Client as Connection } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { newId, toUuid } from '../../src/kernel/ids';
import { followCluster } from '../../src/platform/outbox/event-epoch';
import { presentPosition, walkChanges } from '../support/change-feed';
import { createDatabase } from '../support/database';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let start: string;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
  await eventually(async () => {
    start = await presentPosition(client);
    expect((await walkChanges(client, { after: start })).changes).toEqual([]);
  });
});

const seen = async (after = start) =>
  (await walkChanges(client, { after, types: 'lead.*' })).changes.map(({ data }) => data.id);

/** Appends an event as an instance of any release does. */
async function append(connection: Connection, id = newId('lead')): Promise<string> {
  await connection.query(
    `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
     VALUES ($1, 'test', $2, 'lead.created', now(), $3)`,
    [toUuid(workspace.id), toUuid(newId('evt')), JSON.stringify({ id })],
  );
  return id;
}

describe('an open transaction', () => {
  test('holds back later events until it has ended; then all come in the order in which they were appended', async () => {
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query('SELECT pg_current_xact_id()');
      const ids = [await append(connection), (await createLead(client)).id];
      expect(await seen()).toEqual([]);
      const position = await presentPosition(client);
      ids.push(await append(connection));
      expect(await seen()).toEqual([]);
      await connection.query('COMMIT');
      await eventually(async () => expect(await seen()).toEqual(ids));
      expect(await seen(position)).toEqual(ids);
    });
  });

  test('that is rolled back releases them as well', async () => {
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await append(connection);
      const later = (await createLead(client)).id;
      expect(await seen()).toEqual([]);
      await connection.query('ROLLBACK');
      await eventually(async () => expect(await seen()).toEqual([later]));
    });
  });

  test('with savepoints keeps the order of its events, of which those rolled back are none', async () => {
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      const first = await append(connection);
      await connection.query('SAVEPOINT one');
      await append(connection);
      await connection.query('ROLLBACK TO one');
      await connection.query('SAVEPOINT two');
      const second = await append(connection);
      const later = (await createLead(client)).id;
      expect(await seen()).toEqual([]);
      await connection.query('RELEASE two');
      const third = await append(connection);
      await connection.query('COMMIT');
      await eventually(async () => expect(await seen()).toEqual([first, second, later, third]));
    });
  });

  test('that only reads holds nothing back', async () => {
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await connection.query('SELECT count(*) FROM events');
      const { id } = await createLead(client);
      await eventually(async () => expect(await seen()).toEqual([id]));
      await connection.query('COMMIT');
    });
  });

  test('of another database holds nothing back', async () => {
    const other = await createDatabase();
    try {
      await onConnection(other.url, async (connection) => {
        await connection.query('BEGIN');
        await connection.query('SELECT pg_current_xact_id()');
        const { id } = await createLead(client);
        await eventually(async () => expect(await seen()).toEqual([id]));
        await connection.query('COMMIT');
      });
    } finally {
      await other.drop();
    }
  });
});

test('events of releases without transaction ids come first, in the order of their ids', async () => {
  const ids = [(await createLead(client)).id, (await createLead(client)).id];
  await sql(
    gala.databaseUrl,
    `UPDATE events SET epoch = 0, settles_with = 0, number = 0 WHERE workspace_id = $1`,
    [toUuid(workspace.id)],
  );
  ids.push((await createLead(client)).id);
  await eventually(async () => {
    expect(
      (await walkChanges(client, { types: 'lead.*', limit: 1 })).changes.map(({ data }) => data.id),
    ).toEqual(ids);
  });
});

describe('in another cluster, whose transaction ids are lower', () => {
  let dataSource: DataSource;
  beforeEach(async () => {
    dataSource = await createDataSource({ url: gala.databaseUrl, poolSize: 1 }).initialize();
    await followCluster(dataSource);
  });
  afterEach(() => dataSource.destroy());

  const epoch = async () =>
    (await sql<{ epoch: number }>(gala.databaseUrl, 'SELECT epoch FROM event_epoch'))[0]!.epoch;

  test('positions hold, and later events follow the restored ones', async () => {
    const before = await epoch();
    const restored = [(await createLead(client)).id, (await createLead(client)).id];
    await eventually(async () => expect(await seen()).toEqual(restored));
    const { position } = await walkChanges(client, { after: start, limit: 1 });
    await sql(gala.databaseUrl, 'UPDATE events SET settles_with = settles_with + 1000000000000');
    const [feed, of, transaction, ...rest] = Buffer.from(position, 'base64url').toString().split('.');
    const moved = Buffer.from([feed, of, BigInt(transaction!) + 1_000_000_000_000n, ...rest].join('.'));
    const stored = moved.toString('base64url');
    // In the epoch of the former cluster, such a transaction is yet to come.
    expectInvalid(await client.get(`/v1/changes?after=${stored}`), 'after');

    await sql(gala.databaseUrl, `UPDATE event_epoch SET cluster = 'another/00000001'`);
    await followCluster(dataSource);
    expect(await epoch()).toBe(before + 1);
    const later = (await createLead(client)).id;
    await eventually(async () => expect(await seen(stored)).toEqual([later]));
    await eventually(async () => expect(await seen()).toEqual([...restored, later]));
  });

  test('the epoch goes on once, however often the service starts', async () => {
    const before = await epoch();
    await followCluster(dataSource);
    expect(await epoch()).toBe(before);
    await sql(gala.databaseUrl, `UPDATE event_epoch SET cluster = 'another/00000001'`);
    await followCluster(dataSource);
    await followCluster(dataSource);
    expect(await epoch()).toBe(before + 1);
  });
});

test('events of one lead come in the order of its changes, beside others that change it', async () => {
  const { id } = await createLead(client);
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => client.patch(`/v1/leads/${id}`, { guests: index + 1 })),
  );
  await eventually(async () => {
    const { changes } = await walkChanges(client, { after: start, types: 'lead.*', limit: 7 });
    expect(changes).toHaveLength(41);
    for (const [index, { previous, data }] of changes.entries()) {
      if (index > 0) expect(previous!.guests).toBe(changes[index - 1]!.data.guests);
      expect(data.id).toBe(id);
    }
  });
});
