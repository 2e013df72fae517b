import { Clock } from '../../src/kernel/clock';
import { Retention } from '../../src/platform/jobs/retention';
import { FakeClock } from '../support/fake-clock';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

const DAY = 24 * 3600;

const clock = new FakeClock();
let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());

const clear = () => gala.app.get(Retention, { strict: false }).clear();

/** Makes a row, by the API where it has more than a time. */
async function makeRows(): Promise<void> {
  const client = await (await gala.createWorkspace()).client('test');
  const url = 'https://example.com/webhooks';
  expect((await client.post('/v1/webhooks', { url, events: ['lead.*'] })).status).toBe(201);
  const lead = await client.post(
    '/v1/leads',
    { email: 'ana@example.com' },
    { headers: { 'Idempotency-Key': 'k' } },
  );
  expect(lead.status).toBe(201);
  await sql(
    gala.databaseUrl,
    `INSERT INTO form_submissions (id, browser, fingerprint, created_at) VALUES (gen_random_uuid(), '', '', $1)`,
    [clock.now()],
  );
}

test.each([
  ['idempotency_keys', 'created_at', 1],
  ['form_submissions', 'created_at', 1],
  ['webhook_deliveries', 'created_at', 30],
  ['events', 'occurred_at', 30],
])('rows of %s are deleted by %s after %i days, and not before', async (table, column, days) => {
  await makeRows();
  const count = async () => {
    const [row] = await sql<{ count: number }>(gala.databaseUrl, `SELECT count(*)::int FROM ${table}`);
    return row!.count;
  };
  const made = await count();
  expect(made).toBeGreaterThan(0);
  await sql(gala.databaseUrl, `UPDATE ${table} SET ${column} = $1`, [clock.now()]);
  clock.advance(days * DAY - 1);
  await clear();
  expect(await count()).toBe(made);
  clock.advance(2);
  await clear();
  expect(await count()).toBe(0);
});
