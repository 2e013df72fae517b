import { FUNNEL_BASES } from '../../src/modules/reports/application/report-reader';
import { readFunnel } from '../../src/modules/reports/infrastructure/funnel-sql';
import { ReportDatabase } from '../../src/platform/persistence/report-database';
import { log } from '../activities/support';
import { expectInvalid } from '../support/refusals';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { browserOf } from '../support/people';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { until } from '../support/until';
import { PERIOD, uuidOf } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const report = async (path: string) => {
  const { status, body } = await client.get(`/v1/reports/${path}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

test('an empty workspace has figures of nothing, in the time zone of the workspace', async () => {
  const { body: me } = await client.get('/v1/me');
  const responses = await report(`responses?${PERIOD}&interval=quarter`);
  expect(responses).toMatchObject({
    timeZone: me.workspace.timeZone,
    ...Object.fromEntries(new URLSearchParams(PERIOD)),
    completeSince: expect.any(String),
    total: { leads: 0, medianSeconds: null },
  });
  expect(responses.rows).toHaveLength(8);
  expect(await report(`outcomes?${PERIOD}`)).toMatchObject({
    total: { created: 0, winRate: null, conversion: null, values: [], withoutValue: 0 },
    rows: [{ key: null, isOther: false }],
  });
  const { stages } = await report(`funnel?${PERIOD}`);
  expect(stages).toHaveLength(8);
  expect(stages[0]).toMatchObject({ stage: 'new_enquiry', entered: 0, toNext: null });
  expect((await report('unanswered')).data).toEqual([]);
});

test.each([
  ['responses', 'from=2026-01-01', 'to'],
  ['responses', 'from=2026-01-02&to=2026-01-01', 'to'],
  ['funnel', 'from=2024-01-01&to=2026-01-02', 'to'],
  ['outcomes', 'from=2026-01-01&to=2027-12-31&interval=day', 'interval'],
  ['responses', 'from=2026-01-01&to=2027-02-05&interval=day&groupBy=source', 'interval'],
  ['responses', 'from=2026-01-01&to=2026-01-01&interval=hour', 'interval'],
  ['responses', 'from=2026-01-01&to=2026-01-01&timeZone=CET', 'timeZone'],
  ['responses', 'from=2026-01-01&to=2026-01-01&groupBy=lostReason', 'groupBy'],
  ['outcomes', 'from=2026-01-01&to=2026-01-01&groupBy=tag', 'groupBy'],
  ['outcomes', 'from=2026-01-01&to=2026-01-01&ownerId=nobody', 'ownerId'],
  ['funnel', 'from=2026-01-01&to=2026-01-01&basis=closed', 'basis'],
  ['funnel', 'from=2026-01-01&to=2026-01-01&interval=day', 'interval'],
  ['unanswered', 'cursor=x', 'cursor'],
])('%s?%s is refused', async (name, query, field) => {
  expectInvalid(await client.get(`/v1/reports/${name}?${query}`), field);
});

test('needs its scope, and shows nothing of the other mode', async () => {
  await createLead(client);
  const other = await workspace.client('test');
  const { body } = await other.get(`/v1/reports/responses?${PERIOD}`);
  expect(body.total.leads).toBe(0);
  expect((await other.get('/v1/reports/unanswered')).body.data).toEqual([]);
  const reader = await workspace.client('live', ['leads:read']);
  expect(await reader.get(`/v1/reports/responses?${PERIOD}`)).toMatchObject({ status: 403 });
});

test('groups beyond the 100 largest are one, and those without a value come last', async () => {
  const sources = [...Array.from({ length: 103 }, (_, index) => `Fair ${String(index).padStart(3, '0')}`)];
  const items = [...sources, ...sources.slice(0, 2).map((name) => name.toUpperCase()), null].map(
    (source) => ({
      ...{ email: 'ana@example.com', source },
    }),
  );
  for (const some of [items.slice(0, 100), items.slice(100)])
    await client.post('/v1/leads/bulk', { operation: 'create', items: some });
  const { rows, total } = await report(`responses?${PERIOD}&groupBy=source`);
  expect(total.leads).toBe(106);
  expect(rows).toHaveLength(102);
  expect(rows.reduce((sum: number, { leads }: any) => sum + Number(leads), 0)).toBe(106);
  expect(rows.map(({ key, isOther, leads }: any) => [key?.toLowerCase() ?? null, isOther, leads])).toEqual([
    ...sources.slice(0, 100).map((source, index) => [source.toLowerCase(), false, index < 2 ? 2 : 1]),
    [null, true, 3],
    [null, false, 1],
  ]);
});

test('the group with the most leads comes first', async () => {
  for (const source of ['fair', 'website', 'website', 'instagram', 'website', 'instagram'])
    await createLead(client, { source });
  const { rows } = await report(`responses?${PERIOD}&groupBy=source`);
  expect(rows.map(({ key, leads }: any) => [key, leads])).toEqual([
    ['website', 3],
    ['instagram', 2],
    ['fair', 1],
  ]);
});

test('each group has a row for each of 400 days', async () => {
  for (const source of ['fair', 'fair', 'website', null]) await createLead(client, { source });
  const today = new Date();
  const [from, to] = [-200, 199].map((days) => {
    const day = new Date(today.getTime() + days * 86_400_000);
    return day.toISOString().slice(0, 10);
  });
  const { rows } = await report(`responses?from=${from}&to=${to}&interval=day&groupBy=source`);
  expect(rows).toHaveLength(1200);
  expect(rows.slice(0, 4)).toMatchObject([
    ...['fair', 'website', null].map((key) => ({ from, to: from, key, leads: 0 })),
    { key: 'fair', leads: 0 },
  ]);
  const counted = rows.filter(({ leads }: any) => leads > 0);
  expect(counted.map(({ key, leads }: any) => [key, leads])).toEqual([
    ['fair', 2],
    ['website', 1],
    [null, 1],
  ]);
});

test('the longest wait comes first, page by page', async () => {
  const leads = [];
  for (let count = 0; count < 5; count++) leads.push(await createLead(client));
  await log(client, leads[1]!.id, { direction: 'out' });
  await client.delete(`/v1/leads/${leads[2]!.id}`);
  const first = await report('unanswered?limit=2');
  expect(first.data.map(({ leadId }: any) => leadId)).toEqual([leads[0]!.id, leads[3]!.id]);
  expect(first.data[0]).toMatchObject({ awaitingReplySince: leads[0]!.createdAt, stage: 'new_enquiry' });
  const second = await report(`unanswered?limit=2&cursor=${first.pagination.nextCursor}`);
  expect(second.data.map(({ leadId }: any) => leadId)).toEqual([leads[4]!.id]);
  expect(second.pagination).toMatchObject({ hasNext: false, nextCursor: null });
});

test.each(FUNNEL_BASES)('a funnel by %s looks at no tags of leads beyond the period', async (basis) => {
  const items = Array.from({ length: 100 }, () => ({ email: 'ana@example.com', tags: ['vip'] }));
  await client.post('/v1/leads/bulk', { operation: 'create', items });
  await sql(gala.databaseUrl, `UPDATE lead_journeys SET created_at = '2010-01-01' WHERE workspace_id = $1`, [
    uuidOf(workspace.id),
  ]);
  const { id } = await createLead(client, { tags: ['vip'] });
  await client.patch(`/v1/leads/${id}`, { stage: 'contacted' });
  await sql(gala.databaseUrl, 'ANALYZE leads, lead_journeys, lead_stage_spells');
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const selection = { tag: 'vip', bounds: [new Date('2020-01-01'), new Date('2100-01-01')] };
  const [calls] = await gala.app.get(ReportDatabase, { strict: false }).run(workspace.id, async (query) => {
    await query({ text: `SET LOCAL track_functions = 'pl'`, values: [] });
    await readFunnel(query, ref, selection, basis, []);
    return query<{ calls: number }>({
      text: `SELECT calls::int FROM pg_stat_xact_user_functions WHERE funcname = 'fold_texts'`,
      values: [],
    });
  });
  expect(calls!.calls).toBeLessThan(10);
});

describe('at a time', () => {
  /** Occupies the turn of a workspace. */
  function occupy(id: string) {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const running = gala.app.get(ReportDatabase, { strict: false }).run(id, () => released);
    return async () => {
      release();
      await running;
    };
  }

  test('a workspace has one report: another waits, and then is refused', async () => {
    const release = occupy(workspace.id);
    const refused = await client.get(`/v1/reports/responses?${PERIOD}`);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit' } } });
    expect(refused.headers['retry-after']).toBe('5');
    expect(await client.get('/v1/reports/unanswered')).toMatchObject({ status: 200 });
    const waiting = client.get(`/v1/reports/responses?${PERIOD}`);
    await release();
    expect(await waiting).toMatchObject({ status: 200 });
  }, 20_000);

  test('lists that a filter makes costly take the turn of a report', async () => {
    const browser = await browserOf(gala, workspace.ownerEmail);
    const release = occupy(workspace.id);
    const refused = await Promise.all([
      client.get('/v1/reports/unanswered?tag=vip'),
      client.get('/v1/reports/unanswered?source=fair'),
      browser.get(`/settings/${workspace.id}/live/figures/leads?source=fair`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    await release();
  }, 20_000);

  test('a process has two, whoever asks', async () => {
    const first = occupy((await gala.createWorkspace()).id);
    const second = occupy((await gala.createWorkspace()).id);
    const waiting = client.get(`/v1/reports/responses?${PERIOD}`);
    const done = jest.fn();
    void waiting.then(done);
    await client.get('/v1/leads');
    expect(done).not.toHaveBeenCalled();
    await first();
    expect(await waiting).toMatchObject({ status: 200 });
    await second();
  }, 20_000);

  test('workspaces take turns: one that asks for many reports doesn’t delay another', async () => {
    const [first, second] = [occupy(workspace.id), occupy((await gala.createWorkspace()).id)];
    const reports = gala.app.get(ReportDatabase, { strict: false });
    const begun: string[] = [];
    const begin = (id: string) => reports.run(id, () => Promise.resolve(begun.push(id)));
    const many = Array.from({ length: 15 }, () => begin(workspace.id));
    const outcomes = Promise.allSettled(many);
    const other = begin('other');
    await first();
    await other;
    await second();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(12);
    expect(begun.indexOf('other')).toBeLessThan(2);
  }, 20_000);

  test('instances share the turn of a workspace', async () => {
    const other = await startGala({ databaseUrl: gala.databaseUrl });
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun!: () => void;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const running = other.app
      .get(ReportDatabase, { strict: false })
      .run(workspace.id, () => (begun(), released));
    await hasBegun;
    expect(await client.get(`/v1/reports/funnel?${PERIOD}`)).toMatchObject({ status: 429 });
    release();
    await running;
    expect(await client.get(`/v1/reports/funnel?${PERIOD}`)).toMatchObject({ status: 200 });
    await other.stop();
  }, 20_000);

  test('one that takes too long is refused, and leaves its connection usable', async () => {
    const reports = gala.app.get(ReportDatabase, { strict: false });
    const slow = reports.run(workspace.id, async (query) => {
      await query({ text: 'SET LOCAL statement_timeout = 50', values: [] });
      return query({ text: 'SELECT pg_sleep(10)', values: [] });
    });
    await expect(slow).rejects.toMatchObject({ details: [{ field: 'to' }] });
    expect(await client.get(`/v1/reports/funnel?${PERIOD}`)).toMatchObject({ status: 200 });
  });

  test.each(['tag', 'source', 'ownerId'])('so is a list narrowed by %s', async (field) => {
    const value = field === 'ownerId' ? 'none' : 'x';
    const refused = await cancelled(() => client.get(`/v1/reports/unanswered?${field}=${value}`));
    expectInvalid(refused, field);
  });

  test('so is the list of counted leads', async () => {
    const browser = await browserOf(gala, workspace.ownerEmail);
    const path = `/settings/${workspace.id}/live/figures/leads?source=fair`;
    const { status, text } = await cancelled(() => browser.get(path));
    expect(status).toBe(422);
    expect(text).toContain('ask for fewer days');
  });

  /** Cancels the report of a request as the limit on its time does. */
  function cancelled<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return onConnection(gala.databaseUrl, async (client) => {
      await client.query('BEGIN; LOCK TABLE lead_journeys');
      const answer = ask();
      await until(async () => {
        const found = await sql(
          gala.databaseUrl,
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'gala-reports'
             AND wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return found.length > 0;
      });
      return answer;
    });
  }
});

test('leads whose past isn’t known are said to be excluded, and say since when it is', async () => {
  const lead = await createLead(client);
  await sql(gala.databaseUrl, 'UPDATE lead_journeys SET is_excluded = true WHERE lead_id = $1', [
    uuidOf(lead.id),
  ]);
  const { total, completeSince } = await report(`responses?${PERIOD}`);
  expect(total).toMatchObject({ leads: 1, excluded: 1, answered: 0, waiting: 0 });
  expect(Date.parse(completeSince)).toBeLessThanOrEqual(Date.parse(lead.createdAt));
});

test('figures are complete since they are recorded, or since the workspace exists', async () => {
  const completeSince = async () => new Date((await report(`funnel?${PERIOD}`)).completeSince);
  const since = await completeSince();
  const [{ complete_since: recorded }] = (await sql(
    gala.databaseUrl,
    'SELECT complete_since FROM lead_journeys_beginning',
  )) as [{ complete_since: Date }];
  expect(since.getTime()).toBeGreaterThan(recorded.getTime());
  const record = (from: Date) =>
    sql(gala.databaseUrl, 'UPDATE lead_journeys_beginning SET complete_since = $1', [from]);
  const later = new Date(since.getTime() + 3_600_000);
  await record(later);
  try {
    expect(await completeSince()).toEqual(later);
  } finally {
    await record(recorded);
  }
});
