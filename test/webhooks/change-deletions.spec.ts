import { Database } from '../../src/platform/persistence/database';
import { sent } from '../proposals/support';
import { walkChanges } from '../support/change-feed';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { eventually } from '../support/until';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client('test');
});
afterEach(() => jest.restoreAllMocks());

/** Adds events of one transaction, and so in the order of their numbers. */
async function addEvents(count: number): Promise<void> {
  const { id } = await createLead(client);
  await sql(
    gala.databaseUrl,
    `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
     SELECT workspace_id, mode, gen_random_uuid(), type, occurred_at, '{}'
     FROM (SELECT * FROM events WHERE data->>'id' = $1) AS event, generate_series(1, ${count})`,
    [id],
  );
}

/** Deletes the oldest events after each statement about events, as retention might. */
function deleteMeanwhile(count: number): { statements: string[] } {
  const database = gala.app.get(Database, { strict: false });
  const run = database.sql.bind(database);
  const statements: string[] = [];
  jest.spyOn(database, 'sql').mockImplementation(async (text, values) => {
    const rows = await run(text, values);
    if (!/\bFROM events\b/.test(text)) return rows;
    statements.push(text);
    await sql(
      gala.databaseUrl,
      `DELETE FROM events WHERE id IN (
         SELECT id FROM events ORDER BY epoch, settles_with, number, id LIMIT ${count})`,
    );
    return rows;
  });
  return { statements };
}

test('a filtered page ends with the last event that it looked at, even if events are deleted meanwhile', async () => {
  await addEvents(5500);
  const { id } = await sent(client);
  await addEvents(2000);
  // Nothing is held back any more.
  await eventually(async () => {
    const { changes } = await walkChanges(client);
    expect(changes.length).toBeGreaterThan(7500);
  });
  const { statements } = deleteMeanwhile(1000);
  const { body } = await client.get('/v1/changes?types=proposal.created');
  expect(statements).toHaveLength(1);
  expect(body).toMatchObject({ data: [], hasMore: true });
  jest.restoreAllMocks();
  const { changes } = await walkChanges(client, { after: body.position, types: 'proposal.created' });
  expect(changes.map(({ data }) => data.id)).toEqual([id]);
});

test('a credential without any readable type reads no page, and goes on with the latest event', async () => {
  const workspace = await gala.createWorkspace();
  const reader = await workspace.client('test', ['events:read']);
  client = await workspace.client('test');
  await addEvents(6000);
  await eventually(async () => {
    const { body } = await reader.get('/v1/changes');
    expect(body).toEqual({ data: [], position: expect.any(String), hasMore: false });
    expect((await walkChanges(client, { after: body.position })).changes).toEqual([]);
  });
});
