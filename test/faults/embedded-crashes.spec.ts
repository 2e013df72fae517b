import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import { build, freePort, type GalaProcess, WorkingDirectory } from '../support/gala-process';
import { Load, stopLoads } from './load';
import { until } from './support';

jest.setTimeout(300_000);

const ROUNDS = 8;

let directory: WorkingDirectory;
let port: number;
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  port = await freePort();
});
afterEach(stopLoads);
afterAll(() => directory.clear());

const baseUrl = () => `http://127.0.0.1:${port}`;
const start = (): Promise<GalaProcess> =>
  directory
    .start(['serve'], {
      env: {
        PORT: String(port),
        RATE_LIMIT_WRITES: '1000000',
        RATE_LIMIT_READS: '1000000',
        LOG_LEVEL: 'fatal',
      },
    })
    .isUp();

test('everything killed at once under load, again and again: no confirmed lead is lost', async () => {
  let gala = await start();
  const key = /gala_live_\w+/.exec(gala.stdout)![0];
  const confirmed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const load = new Load([baseUrl()], key, { clients: 10 });
    await until(() => load.confirmed.length > 20, { withinMs: 60_000, everyMs: 10 });
    await sleep(300 * Math.random());
    // The service, PostgreSQL’s main process and all of its children, in no particular order.
    directory.kill();
    await gala.finished;
    await load.stop();
    confirmed.push(...load.confirmed.map(({ answer }) => answer!.body.id as string));
    gala = await start();
  }
  const client = new Client(baseUrl(), key);
  const lost: string[] = [];
  for (const id of confirmed) {
    if ((await client.get(`/v1/leads/${id}`)).status !== 200) lost.push(id);
  }
  console.info(`${confirmed.length} leads confirmed, ${lost.length} lost in ${ROUNDS} kills`);
  expect(lost).toEqual([]);

  // PostgreSQL alone: the service starts it again, and stays what it is.
  const load = new Load([baseUrl()], key, { clients: 10 });
  await until(() => load.confirmed.length > 20, { withinMs: 60_000, everyMs: 10 });
  process.kill(directory.postmasterPid(), 'SIGKILL');
  await sleep(500);
  const before = load.confirmed.length;
  await until(() => load.confirmed.length > before + 20, { withinMs: 30_000 });
  await load.stop();
  expect(load.broken).toEqual([]);
  for (const { answer } of load.confirmed) {
    expect((await client.get(`/v1/leads/${answer!.body.id}`)).status).toBe(200);
  }
  expect(gala.hasEnded).toBe(false);
  expect((await gala.stop()).code).toBe(0);
  expect(await directory.leftovers()).toEqual([]);
});
