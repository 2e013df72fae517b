import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { RequestLogRetention } from '../../src/modules/request-log/infrastructure/request-log-retention';
import { FakeClock } from '../support/fake-clock';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const DAY = 24 * 3600;
const clock = new FakeClock();
let gala: TestGala;
let one: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  [one, other] = [await gala.createWorkspace(), await gala.createWorkspace()];
});
afterAll(() => gala.stop());
beforeEach(() => sql(gala.databaseUrl, 'DELETE FROM request_log'));

/** Lines of that age in seconds, one a second going back. */
const fill = ({ id }: TestWorkspace, mode: string, status: number, count: number, age = 0) =>
  sql(
    gala.databaseUrl,
    `INSERT INTO request_log (workspace_id, mode, occurred_at, id, request_id, method, path, status, duration_ms, credential_id,
                              credential_name)
     SELECT $1, $2, $3::timestamptz - ($4 + n) * interval '1 second', gen_random_uuid(), n, 'GET', '/v1/me', $5, 1, 'key_1', 'Key'
     FROM generate_series(0, $6::int - 1) AS n`,
    [toUuid(id), mode, clock.now(), age, status, count],
  );
const clear = (keepRows?: number) =>
  gala.app.get(RequestLogRetention, { strict: false }).clear(undefined, keepRows);
const left = async () =>
  (
    await sql<{ line: string }>(
      gala.databaseUrl,
      `SELECT concat_ws(' ', CASE workspace_id WHEN $1 THEN 'one' ELSE 'other' END, mode, status, count(*),
                max(request_id::int)) AS line
       FROM request_log GROUP BY workspace_id, mode, status ORDER BY line`,
      [toUuid(one.id)],
    )
  ).map(({ line }) => line);

test('lines go after 30 days and not before, of every workspace and mode, also when there are many', async () => {
  await fill(one, 'live', 200, 12_000, 30 * DAY + 1);
  await fill(one, 'live', 404, 3, 30 * DAY - 1);
  await fill(other, 'test', 500, 4, 30 * DAY - 10);
  await fill(other, 'live', 200, 5, 40 * DAY);
  await clear();
  expect(await left()).toEqual(['one live 404 2 1', 'other test 500 4 3']);
  clock.advance(10);
  await clear();
  expect(await left()).toEqual(['other test 500 1 0']);
});

test('of each workspace and mode the latest are kept, failures apart from successes', async () => {
  await fill(one, 'live', 200, 50);
  await fill(one, 'live', 404, 5);
  await fill(one, 'test', 200, 10);
  await fill(other, 'live', 200, 11);
  await fill(other, 'live', 422, 20);
  await clear(10);
  expect(await left()).toEqual([
    'one live 200 10 9',
    'one live 404 5 4',
    'one test 200 10 9',
    'other live 200 10 9',
    'other live 422 10 9',
  ]);
});

test('two instances at once are in nobody’s way', async () => {
  await fill(one, 'live', 200, 12_000);
  await Promise.all([clear(100), clear(100)]);
  await clear(100);
  expect(await left()).toEqual(['one live 200 100 99']);
});
