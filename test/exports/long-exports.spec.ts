import { LeadReader } from '../../src/modules/leads/application/lead-queries';
import { Metrics } from '../../src/platform/health/metrics';
import { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { expectRefusal } from '../support/expect-refusal';
import { sql } from '../support/sql';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { until } from '../support/until';
import { open, rowsOf, seedLeads } from './support';

const PATH = '/v1/exports/leads?format=jsonl';
/** More than the buffers between a service and a client that doesn't read. */
const MANY = 5000;

jest.setTimeout(60_000);

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));
afterEach(() => jest.restoreAllMocks());

/** Calls `work` after each part of a list that is read, with the number of parts so far. */
function afterEachPart(work: (parts: number) => Promise<void>): void {
  const reader = gala.app.get(LeadReader, { strict: false });
  const read = reader.list.bind(reader);
  let parts = 0;
  jest.spyOn(reader, 'list').mockImplementation(async (...parameters) => {
    const slice = await read(...parameters);
    await work(++parts);
    return slice;
  });
}

describe('while others write', () => {
  test.each(['', '&archived=all', '&q=example', '&stage=new_enquiry'])(
    'every lead that is there from beginning to end is exported once: %s',
    async (filter) => {
      await seedLeads(gala.databaseUrl, workspace.id, 1600);
      const { text: before } = await client.get(PATH);
      const ids = rowsOf(before).map(({ id }) => id as string);
      const archived: string[] = [];
      afterEachPart(async (parts) => {
        await createLead(client, { name: 'New' });
        // Of those that were and will be read: changes move them in other orders.
        for (const at of [100 * parts, 1599 - 100 * parts]) {
          await client.patch(`/v1/leads/${ids[at]}`, { name: 'Changed', eventDate: '2027-06-12' });
        }
        archived.push(ids[1500 - parts]!);
        await client.delete(`/v1/leads/${archived.at(-1)}`);
      });
      const rows = rowsOf((await client.get(PATH + filter)).text);
      const exported = rows.map(({ id }) => id as string);
      expect(new Set(exported).size).toBe(exported.length);
      const missing = ids.filter((id) => !exported.includes(id));
      expect(missing.filter((id) => !archived.includes(id))).toEqual([]);
      expect(archived.length).toBeGreaterThan(2);
    },
  );
});

describe('an export that fails', () => {
  test('before its first line is answered like any other request', async () => {
    jest.spyOn(gala.app.get(LeadReader, { strict: false }), 'list').mockRejectedValue(new Error('broken'));
    expectRefusal(await client.get(PATH), 500);
    jest.restoreAllMocks();
    expect((await client.get(PATH)).status).toBe(200);
  });

  test.each(['csv', 'jsonl'])('later is cut off, and is logged: %s', async (format) => {
    await seedLeads(gala.databaseUrl, workspace.id, 2000);
    afterEachPart((parts) => (parts === 3 ? Promise.reject(new Error('broken')) : Promise.resolve()));
    gala.logged.length = 0;
    const response = await open(client, `/v1/exports/leads?format=${format}`);
    expect(response.status).toBe(200);
    await expect(response.read()).rejects.toThrow('aborted');
    expect(gala.logged.join()).toContain('request failed');
    jest.restoreAllMocks();
    expect(rowsOf((await client.get(PATH)).text)).toHaveLength(2000);
  });
});

describe('one export of a credential at a time', () => {
  beforeEach(() => seedLeads(gala.databaseUrl, workspace.id, MANY));

  test('another is refused until the first has been read or given up', async () => {
    const first = await open(client, PATH);
    const refused = await client.get('/v1/exports/proposals');
    expectRefusal(refused, 429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await client.get('/v1/leads')).status).toBe(200);
    const others = [await workspace.client(), await workspace.client('test')];
    for (const other of others) expect((await other.get(PATH)).status).toBe(200);
    expect(rowsOf(await first.read())).toHaveLength(MANY);
    const second = await open(client, PATH);
    second.leave();
    await until(async () => (await client.get(PATH)).status === 200);
  });

  test('on another instance too', async () => {
    const other = await startGala({ databaseUrl: gala.databaseUrl });
    const first = await open(client, PATH);
    const elsewhere = new Client(other.baseUrl, client.key);
    expectRefusal(await elsewhere.get(PATH), 429);
    expect(rowsOf(await first.read())).toHaveLength(MANY);
    expect((await elsewhere.get(PATH)).status).toBe(200);
    await other.stop();
  });

  test('the export of an instance that crashed counts until its lease expires', async () => {
    const response = await open(client, PATH);
    const copy = await sql(gala.databaseUrl, 'SELECT * FROM exports_under_way');
    expect(copy).toHaveLength(1);
    await response.read();
    expect(await sql(gala.databaseUrl, 'SELECT * FROM exports_under_way')).toEqual([]);
    const { workspace_id, mode, holder, token } = copy[0]!;
    const leave = (inSeconds: number) =>
      sql(
        gala.databaseUrl,
        `INSERT INTO exports_under_way VALUES ($1, $2, $3, $4, now() + $5 * interval '1 s')
         ON CONFLICT (workspace_id, mode, holder) DO UPDATE SET expires_at = excluded.expires_at`,
        [workspace_id, mode, holder, token, inSeconds],
      );
    await leave(30);
    expectRefusal(await client.get(PATH), 429);
    await leave(-1);
    expect((await client.get(PATH)).status).toBe(200);
  });
});

describe('a client that doesn’t read', () => {
  const unreadBytes = async () => {
    const text = await gala.app.get(Metrics, { strict: false }).render();
    return Number(/^gala_answers_unread_bytes (\d+)/m.exec(text)![1]);
  };

  const connectionsInUse = () =>
    sql(
      gala.databaseUrl,
      `SELECT state, query FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
         AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
    );

  test('keeps a part in memory, which counts as unread, and no connection or snapshot of the database', async () => {
    await seedLeads(gala.databaseUrl, workspace.id, MANY);
    const response = await open(client, PATH);
    await until(async () => (await unreadBytes()) > 0);
    expect(await unreadBytes()).toBeLessThan(4 * 1024 * 1024);
    // Gala's background jobs and the server's own processes use the database now and then; the export would keep on.
    await until(async () => (await connectionsInUse()).length === 0);
    response.leave();
    await until(async () => (await unreadBytes()) === 0);
    await until(async () => (await sql(gala.databaseUrl, 'SELECT 1 FROM exports_under_way')).length === 0);
  });

  test('keeps nobody from a turn', async () => {
    await seedLeads(gala.databaseUrl, workspace.id, MANY);
    const clients = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => workspace.client()));
    const unread = await Promise.all(clients.map((each) => open(each, PATH)));
    await until(async () => (await unreadBytes()) > 0);
    const { body } = await client.get('/v1/leads?limit=100');
    expect(body.data.map(({ stage }: LeadBody) => stage)).toHaveLength(100);
    unread.forEach((each) => each.leave());
  });
});
