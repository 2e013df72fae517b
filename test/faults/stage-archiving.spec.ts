import { toUuid } from '../../src/kernel/ids';
import { Client } from '../support/http-client';
import { addStage, stageOf } from '../support/stages';
import type { ServiceProcess } from '../support/service-process';
import { Installation, until } from './support';

jest.setTimeout(900_000);

/** `STAGE_LEADS=100000` is the size of a large workspace, and takes some minutes. */
const LEADS = Number(process.env.STAGE_LEADS ?? 10_000);
const KILLS = 20;
const ENTERING = 500;

let installation: Installation;
let client: Client;
beforeAll(async () => {
  installation = await Installation.create();
  client = installation.client;
});
afterAll(() => installation.remove());

const of = ({ baseUrl }: ServiceProcess) => new Client(baseUrl, client.key);
const sql = <Row>(text: string, values: unknown[] = []) => installation.sql<Row>(text, values);

async function insertLeads(stage: string, count: number): Promise<void> {
  await sql(
    `INSERT INTO leads (workspace_id, mode, id, email, stage, outcome, tags, archived_at, created_at, updated_at, search_text)
     SELECT $1, 'test', gen_random_uuid(), 'lead' || n || '@example.com', $2, 'open', '{}',
       CASE WHEN n % 10 = 0 THEN date_trunc('milliseconds', now()) END,
       date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), ''
     FROM generate_series(1, $3::int) AS n`,
    [toUuid(installation.workspace.id), stage, count],
  );
}

test(`${ENTERING} leads enter a stage on two instances while it is archived: none is left in it`, async () => {
  const services = await Promise.all([installation.startService(), installation.startService()]);
  const clients = services.map(of);
  await addStage(client, 'tasting');
  const leads: string[] = [];
  for (let count = 0; count < ENTERING; count++) {
    leads.push((await client.post('/v1/leads', { email: `guest${count}@example.com` })).body.id);
  }
  const entering = leads.map((id, index) =>
    clients[index % 2]!.patch(`/v1/leads/${id}`, { stage: 'tasting' }),
  );
  await until(async () => (await stageOf(client, 'tasting')).leads > ENTERING / 20, {
    withinMs: 20_000,
    everyMs: 5,
  });
  const archived = await clients[1]!.post('/v1/stages/tasting/archive', { moveTo: 'negotiation' });
  expect(archived.status).toBe(200);
  const answers = await Promise.all(entering);
  const entered = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(ENTERING - entered);
  await until(async () => (await stageOf(client, 'tasting')).moving === null, { withinMs: 30_000 });
  expect(await stageOf(client, 'tasting')).toMatchObject({ leads: 0 });
  expect(await sql("SELECT FROM leads WHERE stage = 'tasting'")).toEqual([]);
  expect((await stageOf(client, 'negotiation')).leads).toBe(entered);
  for (const service of services) await service.kill();
});

test(`${KILLS} kill -9s while ${LEADS} leads move out of an archived stage: each moves once, with its events`, async () => {
  await addStage(client, 'waiting_list');
  await insertLeads('waiting_list', LEADS);
  const service = await installation.startService();
  const archived = await of(service).post('/v1/stages/waiting_list/archive', { moveTo: 'contacted' });
  expect(archived.body.moving).toEqual({ to: 'contacted', left: LEADS });
  let running = service;
  const left = async () => (await stageOf(client, 'waiting_list')).moving?.left ?? 0;
  for (let kill = 1; kill <= KILLS && (await left()) > 0; kill++) {
    const goal = Math.floor(LEADS * (1 - kill / (KILLS + 1)));
    await until(async () => (await left()) <= goal, { withinMs: 120_000, everyMs: 5 });
    await running.kill();
    running = await installation.startService();
    // The API works beside the move.
    const { status } = await of(running).post('/v1/leads', { email: 'beside@example.com' });
    expect(status).toBe(201);
  }
  await until(async () => (await stageOf(client, 'waiting_list')).moving === null, { withinMs: 600_000 });
  const [counts] = await sql<Record<string, number>>(
    `SELECT
       (SELECT count(*)::int FROM leads WHERE stage = 'waiting_list') AS left,
       (SELECT count(*)::int FROM leads WHERE stage = 'contacted') AS moved,
       (SELECT count(*)::int FROM leads WHERE stage = 'contacted' AND revision = 2) AS once,
       (SELECT count(*)::int FROM events WHERE type = 'lead.stage_changed' AND data->>'stage' = 'contacted') AS told,
       (SELECT count(DISTINCT data->>'id')::int FROM events WHERE type = 'lead.updated' AND data->>'stage' = 'contacted') AS updated,
       (SELECT count(*)::int FROM lead_stage_changes WHERE to_stage = 'contacted') AS recorded`,
  );
  expect(counts).toEqual({
    left: 0,
    moved: LEADS,
    once: LEADS,
    told: LEADS,
    updated: LEADS,
    recorded: LEADS,
  });
});
