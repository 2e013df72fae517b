import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { Installation, until } from './support';

jest.setTimeout(1_800_000);

/** `IMPORT_ROWS=1000000` is the largest file, and takes half an hour. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 20_000);
const KILLS = 20;
/** Every so many rows one has no address. */
const BAD_EVERY = 1000;
const BAD_ROWS = Math.floor(ROWS / BAD_EVERY);

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await Installation.create();
  client = installation.client;
});
afterAll(() => installation.remove());

const of = ({ baseUrl }: ServiceProcess) => new Client(baseUrl, client.key);
const state = async (id: string) => (await client.get(`/v1/imports/${id}`)).body;

function file(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1;
    return `Lead ${row},${row % BAD_EVERY === 0 ? 'nobody' : `lead${row}@example.com`}`;
  });
  return Buffer.from(`Name,Email\n${lines.join('\n')}\n`);
}

test(`${KILLS} kill -9s while ${ROWS} rows are checked and imported by two instances: each row is imported once`, async () => {
  let services: ServiceProcess[] = await Promise.all([
    installation.startService(),
    installation.startService(),
  ]);
  const { id } = (await of(services[0]!).post('/v1/imports')).body;
  const headers = { 'Content-Type': 'text/csv' };
  expect((await of(services[0]!).post(`/v1/imports/${id}/file`, file(), { headers })).status).toBe(200);

  const replace = async (index: number) => {
    await services[index]!.kill();
    services = services.with(index, await installation.startService());
  };
  // Whichever checks the file: its lease ends, and another one begins anew.
  for (const index of [0, 1]) await replace(index);
  await until(async () => (await state(id)).status === 'ready', { withinMs: 600_000 });
  expect(await state(id)).toMatchObject({ rows: ROWS, willCreate: ROWS - BAD_ROWS, willFail: BAD_ROWS });

  expect((await of(services[0]!).post(`/v1/imports/${id}/start`)).status).toBe(200);
  for (let kill = 3; kill <= KILLS; kill++) {
    const goal = Math.floor((ROWS * kill) / (KILLS + 2));
    await until(async () => (await state(id)).processed >= goal, { withinMs: 600_000, everyMs: 2 });
    await replace(kill % 2);
  }
  await until(async () => (await state(id)).status === 'completed', { withinMs: 600_000 });

  expect(await state(id)).toMatchObject({ processed: ROWS, created: ROWS - BAD_ROWS, failed: BAD_ROWS });
  const [counts] = await installation.sql<Record<string, number>>(
    `SELECT
       (SELECT count(*)::int FROM leads) AS leads,
       (SELECT count(DISTINCT email)::int FROM leads) AS addresses,
       (SELECT count(*)::int FROM events WHERE type = 'lead.created' AND cause_type = 'import') AS told,
       (SELECT count(DISTINCT data->>'id')::int FROM events WHERE type = 'lead.created') AS distinct_told,
       (SELECT count(*)::int FROM events WHERE type = 'import.completed') AS completed,
       (SELECT count(*)::int FROM import_rows WHERE status = 'created') AS created_rows,
       (SELECT count(*)::int FROM import_rows r JOIN leads l ON l.id = r.lead_id AND l.name = 'Lead ' || r.number) AS own_lead,
       (SELECT count(*)::int FROM import_rows WHERE status = 'failed' AND number % ${BAD_EVERY} = 0) AS failed_rows`,
  );
  const good = ROWS - BAD_ROWS;
  expect(counts).toEqual({
    ...{ leads: good, addresses: good, told: good, distinct_told: good },
    ...{ completed: 1, created_rows: good, own_lead: good, failed_rows: BAD_ROWS },
  });
});
