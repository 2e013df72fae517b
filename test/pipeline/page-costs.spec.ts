import { toUuid } from '../../src/kernel/ids';
import { pathOf, sent, visitor } from '../proposals/support';
import { cpuTimeOf } from '../support/cpu-time';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

/** Of processor time, for one page: the service's and the client's. */
const LIMIT_MS = 150;
const USUAL_MS = 30;
const LIMIT_BYTES = 300_000;

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());

async function expectCheap(browser: PageClient, path: string): Promise<void> {
  let bytes = 0;
  const ms = await cpuTimeOf(async () => {
    const { status, text } = await browser.get(path);
    expect(status).toBe(200);
    bytes = Buffer.byteLength(text);
  }, USUAL_MS);
  console.info(`${ms.toFixed()} ms, ${(bytes / 1024).toFixed()} KiB`);
  expect(ms).toBeLessThan(LIMIT_MS);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
}

test('the month of a calendar with 1,500 holds over the year', async () => {
  await sql(
    gala.databaseUrl,
    `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone, space_ids,
       status, sequence, created_at, updated_at)
     SELECT $1, 'test', gen_random_uuid(), 'hold', repeat('😀', 190), repeat('<', 5000), '2027-01-01', '2027-12-01', 'UTC',
       '{}', 'confirmed', 1, now(), now() FROM generate_series(1, 1500)`,
    [toUuid(workspace.id)],
  );
  const owner = await browserOf(gala, 'owner@example.com');
  await expectCheap(owner, `/settings/${workspace.id}/test/calendar?month=2027-05`);
});

test('a client’s page of a proposal with 100 long items', async () => {
  const lineItems = Array.from({ length: 100 }, () => ({
    description: '😀'.repeat(500),
    unit: 'flat',
    unitAmount: 1,
  }));
  const offer = await sent(await workspace.client(), { lineItems });
  await expectCheap(visitor(gala.baseUrl), pathOf(offer));
});
