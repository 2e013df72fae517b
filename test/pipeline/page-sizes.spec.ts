import { MAX_PAGE_BYTES } from '../../src/kernel/page';
import { MAX_LEAD_BYTES } from '../../src/modules/leads/infrastructure/lead-page';
import type { Client } from '../support/http-client';
import { addField } from '../support/fields';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { WEDDING } from '../support/calendar';
import { draft } from '../proposals/support';

jest.setTimeout(60_000);

const COUNT = 45;
const LEADS = 250;
/** As much as the limit on bodies lets one proposal hold. */
const LINES = Array.from({ length: 100 }, () => ({
  description: '€'.repeat(500),
  unit: 'flat',
  unitAmount: 1,
}));
const ESCAPED = '\u0001';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

/** Copies the only row of a table that meets a condition, each a second later than the one before. */
async function copy(table: string, timeColumn: string, count = COUNT, where = 'true'): Promise<void> {
  const columns = (
    await sql<{ name: string }>(
      gala.databaseUrl,
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    )
  ).map(({ name }) => name);
  const changed: Record<string, string> = {
    id: 'gen_random_uuid()',
    [timeColumn]: `${timeColumn} + n * interval '1 second'`,
    ...(table === 'proposals' && { number: 'number + n' }),
  };
  await sql(
    gala.databaseUrl,
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map((name) => changed[name] ?? name).join(', ')}
     FROM ${table}, generate_series(1, ${count - 1}) AS n WHERE ${where}`,
  );
}

/** Follows the cursor to the end: no answer is too long, and every item comes once. */
async function expectBoundedWalk(path: string, total: number, by = client): Promise<void> {
  const ids: string[] = [];
  let pages = 0;
  const separator = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { status, body, text } = await by.get(
      `${path}${separator}limit=100${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(body.pagination).toMatchObject({
      limit: 100,
      total,
      hasNext: body.pagination.nextCursor !== null,
    });
    expect(body.data.length).toBeGreaterThan(0);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.nextCursor;
  }
  expect(pages).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(total);
}

test('a page of large proposals is cut, and the cursor continues after its last item', async () => {
  await draft(client, { lineItems: LINES });
  await copy('proposals', 'created_at');
  for (const sort of ['createdAt', '-createdAt', '-updatedAt']) {
    await expectBoundedWalk(`/v1/proposals?sort=${sort}`, COUNT);
  }
});

test('a page of the largest leads is cut, however its rows are found', async () => {
  const other = await (await gala.createWorkspace()).client();
  const large = (length: number) => ESCAPED.repeat(length);
  const { status } = await other.post('/v1/leads', {
    email: 'large@example.com',
    name: large(200),
    source: large(100),
    tags: ['large', ...Array.from({ length: 49 }, (_, index) => `${large(48)}${index + 10}`)],
    stage: 'lost',
    lostNote: large(1000),
  });
  expect(status).toBe(201);
  await copy('leads', 'created_at', LEADS, `email = 'large@example.com'`);
  for (const query of [
    '',
    '?sort=name',
    '?stage=lost',
    '?tag=large',
    '?archived=all',
    '?tag=large&sort=-name',
  ]) {
    await expectBoundedWalk(`/v1/leads${query}`, LEADS, other);
  }
  const { body, text } = await other.get('/v1/leads?page=2&limit=100');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  expect(body.data.length).toBeLessThan(100);
  expect(body.pagination).toMatchObject({ total: LEADS, hasNext: true });
});

test('no lead is larger than short pages of leads reckon with', async () => {
  const other = await (await gala.createWorkspace()).client();
  for (const key of ['one', 'other']) await addField(other, key, { type: 'long_text' });
  const { id } = await createLead(other, {
    email: `${'l'.repeat(60)}@${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`,
    name: ESCAPED.repeat(200),
    phone: '+34600123456',
    source: ESCAPED.repeat(100),
    externalId: ESCAPED.repeat(255),
    tags: Array.from({ length: 50 }, (_, index) => `${ESCAPED.repeat(48)}${index + 10}`),
    stage: 'lost',
    lostNote: ESCAPED.repeat(1000),
    custom: { one: 'x'.repeat(4000), other: 'x'.repeat(4000) },
  });
  const { text } = await other.get(`/v1/leads/${id}`);
  expect(Buffer.byteLength(text)).toBeGreaterThan(30_000);
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_LEAD_BYTES);
  expect(51 * MAX_LEAD_BYTES).toBeLessThan(MAX_PAGE_BYTES);
});

test('page numbers stay what they are: page 2 begins at item limit + 1', async () => {
  const { body: second } = await client.get('/v1/proposals?sort=createdAt&limit=40&page=2');
  const { body: whole } = await client.get('/v1/proposals?sort=createdAt&limit=5&page=9');
  expect(second.data[0].id).toBe(whole.data[0].id);
  expect(second.pagination).toMatchObject({ page: 2, pages: 2, hasPrev: true, hasNext: false });
  const { body: first } = await client.get('/v1/proposals?sort=createdAt&limit=40');
  expect(first.data.length).toBeLessThan(40);
  expect(first.pagination.hasNext).toBe(true);
});

test('a page of large events is cut', async () => {
  await sql(gala.databaseUrl, `DELETE FROM events WHERE type <> 'proposal.created'`);
  await copy('events', 'occurred_at');
  await expectBoundedWalk('/v1/events', COUNT);
});

test('a page of the largest calendar events stays below the limit', async () => {
  const { id: leadId } = await createLead(client);
  const fields = { ...WEDDING, leadId, description: ESCAPED.repeat(5000), location: ESCAPED.repeat(200) };
  for (let index = 0; index < 160; index++) {
    expect((await client.post('/v1/calendar-events', fields)).status).toBe(201);
  }
  await expectBoundedWalk('/v1/calendar-events?from=2027-01-01&to=2027-12-31', 160);
});

test('a page of deliveries is cut, and one delivery shows its latest 50 attempts', async () => {
  const { body: webhook } = await client.post('/v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['lead.created'],
  });
  await sql(gala.databaseUrl, 'DELETE FROM webhook_deliveries');
  await createLead(client);
  await copy('webhook_deliveries', 'created_at');
  await sql(
    gala.databaseUrl,
    `INSERT INTO webhook_attempts (workspace_id, mode, delivery_id, number, at, duration_ms, response_status, response_body)
     SELECT workspace_id, mode, id, n, now(), n, 500, repeat('x', 4096)
     FROM webhook_deliveries, generate_series(1, 120) AS n`,
  );
  const path = `/v1/webhooks/${webhook.id}/deliveries`;
  await expectBoundedWalk(path, COUNT);
  const { body } = await client.get(`${path}?limit=1`);
  const { attempts } = (await client.get(`${path}?limit=1`)).body.data[0];
  expect(attempts.map(({ duration }: { duration: number }) => duration)).toEqual(
    Array.from({ length: 50 }, (_, index) => 71 + index),
  );
  expect(body.data).toHaveLength(1);
});
