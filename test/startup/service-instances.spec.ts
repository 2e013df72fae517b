import { createEmptyDatabase } from '../support/empty-database';
import { build, freePort, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  database = await createEmptyDatabase();
}, 120_000);
afterAll(async () => {
  await directory.clear();
  await database.drop();
});

test('two services that start at once on an empty database both come up, and it is migrated once', async () => {
  const ports = [await freePort(), await freePort()];
  const services = await Promise.all(
    ports.map((port) =>
      directory.start(['serve'], { env: { PORT: String(port), DATABASE_URL: database.url } }).isUp(),
    ),
  );
  for (const [index, port] of ports.entries()) {
    const client = new Client(`http://127.0.0.1:${port}`);
    expect((await client.get('/health/ready')).status).toBe(200);
    expect((await client.get('/v1/me')).status).toBe(401);
    expect(services[index]!.stdout).toContain('There is no workspace yet');
    expect(services[index]!.stderr).toBe('');
  }
  const names = (await sql<{ name: string }>(database.url, 'SELECT name FROM migrations')).map(
    ({ name }) => name,
  );
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);

  const finished = await Promise.all(services.map((each) => each.stop()));
  expect(finished.map(({ code }) => code)).toEqual([0, 0]);
});
