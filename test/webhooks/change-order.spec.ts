import type { Client as Connection } from 'pg';
import { newId, toUuid } from '../../src/kernel/ids';
import { presentPosition, walkChanges } from '../support/change-feed';
import { createDatabase } from '../support/database';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
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
