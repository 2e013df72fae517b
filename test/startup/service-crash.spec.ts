import { join } from 'node:path';
import { build, eachOf, freePort, type GalaProcess, WorkingDirectory } from '../support/gala-process';
import { type Answer, Client } from '../support/http-client';

jest.setTimeout(180_000);

const WRITERS = 4;
const ENOUGH = 60;

const directory = new WorkingDirectory();
beforeAll(build, 120_000);
afterAll(() => directory.clear());

const limits = { RATE_LIMIT_WRITES: '1000000', RATE_LIMIT_READS: '1000000' };
let key: string | undefined;

async function start(): Promise<{ gala: GalaProcess; client: Client }> {
  const port = await freePort();
  const gala = await directory.start(['serve'], { env: { PORT: String(port), ...limits } }).isUp();
  key ??= /gala_live_\w+/.exec(gala.stdout)![0];
  return { gala, client: new Client(`http://127.0.0.1:${port}`, key) };
}

/** Creates leads, kills in the midst of it, and returns those that the service had said are there. */
async function writeUntil(kill: () => void, client: Client): Promise<Answer['body'][]> {
  const acknowledged: Answer['body'][] = [];
  let killed = false;
  const write = async (writer: number) => {
    for (let count = 0; !killed || count < 1000; count++) {
      const email = `${writer}.${count}.${acknowledged.length}@example.com`;
      const answer = await client.post('/v1/leads', { email, tags: ['kept'] }).catch(() => undefined);
      if (answer?.status !== 201) return;
      acknowledged.push(answer.body);
      if (acknowledged.length === ENOUGH) {
        kill();
        killed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
  return acknowledged;
}

async function expectAll(leads: Answer['body'][], client: Client): Promise<void> {
  const found = await eachOf(leads, async ({ id }) => (await client.get(`/v1/leads/${id}`)).body);
  expect(found).toEqual(leads);
}

test('no acknowledged lead is lost to kill -9, one service at a time has the data, and a frozen database is told of', async () => {
  const first = await start();
  const beforeFirstKill = await writeUntil(() => first.gala.signal('SIGKILL'), first.client);
  expect((await first.gala.finished).signal).toBe('SIGKILL');
  const orphan = directory.postmasterPid();
  expect(directory.processes()).toContain(orphan);

  const second = await start();
  expect(directory.postmasterPid()).toBe(orphan);
  await expectAll(beforeFirstKill, second.client);
  const beforeSecondKill = await writeUntil(() => directory.kill(), second.client);
  await second.gala.finished;
  expect(await directory.leftovers()).toEqual([]);

  const third = await start();
  await expectAll([...beforeFirstKill, ...beforeSecondKill], third.client);

  const rival = await directory.run(['serve'], { env: { PORT: String(await freePort()) } });
  expect(rival).toMatchObject({ code: 1, stdout: '' });
  expect(rival.stderr).toBe(
    `Another Gala process (pid ${third.gala.pid}) is using the embedded PostgreSQL in ` +
      `${join(directory.path, 'data/postgres')}. Stop it first, or give this one its own DATA_DIR and PORT.\n`,
  );
  expect((await third.client.get('/v1/me')).status).toBe(200);

  const postmaster = directory.postmasterPid();
  process.kill(postmaster, 'SIGSTOP');
  await third.gala.stop('SIGKILL');
  const stuck = await directory.run(['serve'], { env: { PORT: String(await freePort()) } });
  expect(stuck).toMatchObject({ code: 1, stdout: '' });
  expect(stuck.stderr).toMatch(
    new RegExp(
      `^The PostgreSQL in .*pid ${postmaster}.* has not answered .*"kill -CONT ${postmaster}".*\\n$`,
    ),
  );
});
