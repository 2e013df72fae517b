import { loyalty } from '../../examples/loyalty/src/loyalty';
import { createDatabase } from '../support/database';
import { createDataSource } from '../../ormconfig';
import { migrate } from '../../src/platform/persistence/migrate';
import { idOf, storedAfter } from '../request-log/support';
import { routesOf, sweepRoutes } from '../support/route-sweep';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

let database: Awaited<ReturnType<typeof createDatabase>>;
let gala: TestGala;
beforeAll(async () => {
  database = await createDatabase();
  await migrateWith([loyalty]);
  gala = await startGala({ databaseUrl: database.url, extensions: [loyalty] });
});
afterAll(async () => {
  await gala.stop();
  await database.drop();
});

function migrateWith(extensions: (typeof loyalty)[]): Promise<string[]> {
  const { url } = database;
  return migrate(url, [() => createDataSource({ url, extensions, poolSize: 1 })]);
}

describe('every route of Gala with the example extension', () => {
  sweepRoutes({
    gala: () => gala,
    idPrefixes: { '/v1/loyalty-accounts': 'loy' },
    bodies: { '/v1/loyalty-accounts/:id/redeem': { points: 1 } },
    composition: { extensions: [loyalty] },
  });

  test('among them its own', () => {
    const [read, write] = ['loyalty:read', 'loyalty:write'].map((scope) => ({
      kind: 'scope',
      scopes: [scope],
    }));
    const own = routesOf(gala).filter(({ paths }) => paths.some((path) => path.includes('loyalty')));
    expect(own.map(({ method, paths, access }) => ({ route: `${method} ${paths[0]!}`, access }))).toEqual([
      { route: 'GET /v1/loyalty-accounts', access: read },
      { route: 'POST /v1/loyalty-accounts/grants', access: write },
      { route: 'GET /v1/loyalty-accounts/:id', access: read },
      { route: 'GET /v1/loyalty-accounts/:id/points', access: read },
      { route: 'POST /v1/loyalty-accounts/:id/redeem', access: write },
      { route: 'POST /v1/loyalty-accounts/:id/enquire', access: write },
      { route: 'GET /settings/:workspace/:mode/loyalty', access: { kind: 'page' } },
      { route: 'POST /settings/:workspace/:mode/loyalty', access: { kind: 'page' } },
      { route: 'GET /v1/loyalty-programme', access: { kind: 'public' } },
      { route: 'GET /v1/loyalty-programme/estimate', access: { kind: 'credential' } },
      { route: 'GET /settings/:workspace/:mode/loyalty-settings', access: { kind: 'page' } },
      { route: 'POST /settings/:workspace/:mode/loyalty-settings', access: { kind: 'page' } },
      { route: 'GET /settings/:workspace/:mode/loyalty-tills', access: { kind: 'page' } },
    ]);
  });
});

test('what is asked of its routes is in the request log', async () => {
  const client = await (await gala.createWorkspace()).client();
  const answer = await client.get('/v1/loyalty-accounts');
  expect(answer.status).toBe(200);
  expect(await storedAfter(gala, idOf(answer))).toContainEqual(
    expect.objectContaining({
      request_id: idOf(answer),
      method: 'GET',
      path: '/v1/loyalty-accounts',
      status: 200,
    }),
  );
});

test('its migration can be taken back, and leaves nothing', async () => {
  // An event waits for the subscriber: nothing is done in the background here.
  const client = await (await gala.createWorkspace()).client();
  const { body } = await client.post('/v1/leads', { email: 'ana@example.com' });
  await client.patch(`/v1/leads/${body.id}`, { stage: 'confirmed' });
  const dataSource = await createDataSource({ url: database.url, extensions: [loyalty] }).initialize();
  await dataSource.undoLastMigration();
  const left = await sql(
    database.url,
    `SELECT relname AS name FROM pg_class WHERE relname LIKE 'loyalty%'
     UNION ALL SELECT tgname FROM pg_trigger WHERE tgname LIKE '%loyalty%'
     UNION ALL SELECT subscriber FROM subscriber_events`,
  );
  expect(left).toEqual([]);
  await dataSource.runMigrations();
  await dataSource.destroy();
});
