import * as fc from 'fast-check';
import { toUuid } from '../../src/kernel/ids';
import { MAX_PAGE_BYTES } from '../../src/kernel/page';
import { sent } from '../proposals/support';
import { presentPosition, walkChanges } from '../support/change-feed';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';

const READ = 'events:read';

let gala: TestGala;
let workspace: TestWorkspace;
/** A key that may do everything. */
let full: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  full = await workspace.client('test');
});

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

async function makeLeads(count: number, client = full): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await createLead(client)).id);
  return ids;
}

const leadsSeen = async (client: Client, query: Parameters<typeof walkChanges>[1] = {}) =>
  (await walkChanges(client, { types: 'lead.*', ...query })).changes.map(({ data }) => data.id);

test('events come oldest first, as GET /v1/events has them, and the position goes on', async () => {
  const [first] = await makeLeads(3);
  await full.patch(`/v1/leads/${first}`, { stage: 'contacted' });
  await eventually(async () => {
    const listed = (await full.get('/v1/events?limit=100')).body.data;
    expect(listed.map(({ type }: any) => type)).toContain('lead.stage_changed');
    expect((await walkChanges(full)).changes).toEqual(listed.toReversed());
  });
  const walked = await walkChanges(full, { limit: 2 });
  expect(walked.answers).toBeGreaterThan(2);
  expect(await walkChanges(full, { after: walked.position })).toEqual({
    changes: [],
    position: walked.position,
    answers: 1,
  });
  const [another] = await makeLeads(1);
  await eventually(async () => {
    expect(await leadsSeen(full, { after: walked.position })).toEqual([another]);
  });
});

test('the default is 20 events, and more than 100 are taken as 100', async () => {
  await makeLeads(21);
  await eventually(async () => {
    const { body } = await full.get('/v1/changes');
    expect(body).toEqual({ data: expect.any(Array), position: expect.any(String), hasMore: true });
    expect(body.data).toHaveLength(20);
  });
  expect((await full.get('/v1/changes?limit=1000')).status).toBe(200);
  for (const limit of ['0', '-1', '1.5', 'many', '']) {
    expectInvalid(await full.get(`/v1/changes?limit=${limit}`), 'limit');
  }
});

test('after=now starts with events to come', async () => {
  await makeLeads(2);
  let position = '';
  await eventually(async () => {
    position = await presentPosition(full);
    expect(await leadsSeen(full, { after: position })).toEqual([]);
  });
  const [next] = await makeLeads(1);
  await eventually(async () => expect(await leadsSeen(full, { after: position })).toEqual([next]));
});

test('an empty feed has a position too', async () => {
  const other = await gala.createWorkspace();
  const reader = await other.client('test', [READ, 'leads:read']);
  for (const path of ['/v1/changes', '/v1/changes?after=now']) {
    const { body } = await reader.get(path);
    expect(body).toEqual({ data: [], position: expect.any(String), hasMore: false });
    const [lead] = await makeLeads(1, await other.client('test'));
    await eventually(async () => expect(await leadsSeen(reader, { after: body.position })).toContain(lead));
  }
});

test('another mode and another workspace have feeds of their own', async () => {
  const live = await workspace.client('live');
  const [inTest] = await makeLeads(1);
  const [inLive] = await makeLeads(1, live);
  const theirs = await (await gala.createWorkspace()).client('test');
  await eventually(async () => {
    expect(await leadsSeen(full)).toEqual([inTest]);
    expect(await leadsSeen(live)).toEqual([inLive]);
    expect(await leadsSeen(theirs)).toEqual([]);
  });
  const position = await presentPosition(full);
  for (const stranger of [live, theirs]) {
    expectInvalid(await stranger.get(`/v1/changes?after=${position}`), 'after');
  }
});

describe('types', () => {
  test('are exact, of an object, all, and several', async () => {
    const [lead] = await makeLeads(1);
    await full.patch(`/v1/leads/${lead}`, { stage: 'contacted' });
    await full.post('/v1/spaces', { name: 'Garden' });
    const ofLead = ['lead.created', 'lead.updated', 'lead.stage_changed'];
    const seen = async (types: string) => {
      const { changes } = await walkChanges(full, { types });
      return changes.map(({ type }) => type).filter((type) => !type.startsWith('api_key'));
    };
    await eventually(async () => {
      expect(await seen('lead.stage_changed')).toEqual(['lead.stage_changed']);
      expect(await seen('lead.*')).toEqual(ofLead);
      expect(await seen('proposal.*,lead.created')).toEqual(['lead.created']);
      expect(await seen('lead.created,lead.*')).toEqual(ofLead);
      expect(await seen('*')).toEqual(ofLead);
    });
  });

  test.each([
    'lead.creatd',
    'lead',
    'leads.*',
    'lead.*,',
    ',',
    'lead.*,%20proposal.*',
    '*.*',
    '',
    'lead.%00',
  ])('an unknown one is a 422: %s', async (types) => {
    const refused = await full.get(`/v1/changes?types=${types}`);
    expectInvalid(refused, 'types');
    if (types.includes('creatd')) {
      expect(refused.body.error.message).toBe(
        'types: there is no event type "lead.creatd": /docs/guides/webhooks lists them',
      );
    }
  });

  test('at most 100', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'lead.*').join();
    expect((await full.get(`/v1/changes?types=${many(100)}`)).status).toBe(200);
    expectInvalid(await full.get(`/v1/changes?types=${many(101)}`), 'types');
  });
});

describe('positions', () => {
  test('of no feed are refused, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ minLength: 1 }), fc.base64String({ minLength: 1 })),
        async (text) => {
          fc.pre(text !== 'now' && text.trim() !== '');
          expectInvalid(await full.get(`/v1/changes?after=${encodeURIComponent(text)}`), 'after');
        },
      ),
      { numRuns: 50 },
    );
    expectInvalid(await full.get('/v1/changes?after='), 'after');
  });

  test('that no event can have yet are refused', async () => {
    await makeLeads(1);
    const text = Buffer.from(await presentPosition(full), 'base64url').toString();
    const [feed, epoch, transaction, number, ...rest] = text.split('.');
    const positionOf = (...parts: unknown[]) => Buffer.from(parts.join('.')).toString('base64url');
    for (const later of [
      positionOf(feed, Number(epoch) + 1, transaction, number, ...rest),
      positionOf(feed, epoch, BigInt(transaction!) + 1_000_000n, number, ...rest),
      positionOf(feed, epoch, 2n ** 63n - 1n, number, ...rest),
    ]) {
      expectInvalid(await full.get(`/v1/changes?after=${later}`), 'after');
    }
    expect(
      (await full.get(`/v1/changes?after=${positionOf(feed, epoch, transaction, number, ...rest)}`)).status,
    ).toBe(200);
  });

  test('before deleted events are refused, and say what to do; those after them hold', async () => {
    await makeLeads(4);
    const positions: string[] = [];
    await eventually(async () => {
      positions.splice(0);
      for (let after = ''; ;) {
        const { body } = await full.get(`/v1/changes?types=lead.*&limit=1${after && `&after=${after}`}`);
        if (body.data.length === 0) break;
        positions.push((after = body.position));
      }
      expect(positions).toHaveLength(4);
    });
    const leads = await leadsSeen(full);
    await sql(gala.databaseUrl, `DELETE FROM events WHERE data->>'id' = ANY($1)`, [leads.slice(0, 2)]);

    const refused = await full.get(`/v1/changes?after=${positions[0]}`);
    expectInvalid(refused, 'after');
    expect(refused.body.error.message).toMatch(/deleted.*30 days.*after=now/);
    expect(await leadsSeen(full, { after: positions[1] })).toEqual(leads.slice(2));
    expect(await leadsSeen(full, { after: positions[3] })).toEqual([]);
    // Without a position nothing was promised.
    expect(await leadsSeen(full)).toEqual(leads.slice(2));
  });

  test('of a quiet workspace hold for ever, and so do those taken when all its events are gone', async () => {
    await makeLeads(2);
    await eventually(async () => expect(await leadsSeen(full)).toHaveLength(2));
    const before = await presentPosition(full);
    await sql(gala.databaseUrl, 'DELETE FROM events');
    const after = [before, await presentPosition(full), (await walkChanges(full)).position];
    const [lead] = await makeLeads(1);
    for (const position of after) {
      await eventually(async () => expect(await leadsSeen(full, { after: position })).toEqual([lead]));
    }
  });

  test('without one, the feed begins after the last deleted event, so that its positions hold', async () => {
    await makeLeads(3);
    await eventually(async () => expect(await leadsSeen(full)).toHaveLength(3));
    const leads = await leadsSeen(full);
    await sql(gala.databaseUrl, `DELETE FROM events WHERE data->>'id' = $1`, [leads[1]]);
    expect(await leadsSeen(full, { limit: 1 })).toEqual(leads.slice(2));
  });
});

describe('what a request can cost', () => {
  /** Adds events of one transaction by SQL. */
  const add = (count: number, data = `'{}'::json`) =>
    sql(
      gala.databaseUrl,
      `INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
       SELECT workspace_id, mode, gen_random_uuid(), type, occurred_at, ${data}
       FROM (SELECT * FROM events WHERE data->>'id' = $1) AS event, generate_series(1, ${count})`,
      [lead],
    );
  let lead: string;
  beforeEach(async () => {
    [lead] = (await makeLeads(1)) as [string];
  });

  test('a request looks at 5,000 events; empty answers go on', async () => {
    await add(11_000);
    const proposal = await sent(full);
    await eventually(async () => {
      const { changes, answers } = await walkChanges(full, { types: 'proposal.created' });
      expect(changes.map(({ data }) => data.id)).toEqual([proposal.id]);
      expect(answers).toBe(3);
    });
    const first = (await full.get('/v1/changes?types=proposal.created')).body;
    expect(first).toMatchObject({ data: [], hasMore: true });
  });

  test('an answer of large events is cut, and the position continues after its last one', async () => {
    await add(40, `json_build_object('id', 'large', 'text', repeat('€', 100000))`);
    let position = '';
    const ids: string[] = [];
    await eventually(async () => expect((await leadsSeen(full)).length).toBe(41));
    for (let hasMore = true; hasMore;) {
      const { body, text } = await full.get(
        `/v1/changes?types=lead.*&limit=100${position && `&after=${position}`}`,
      );
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      expect(body.data.length).toBeGreaterThan(0);
      ids.push(...idsOf(body.data));
      ({ position, hasMore } = body);
    }
    expect(new Set(ids).size).toBe(41);
    expect(ids).toHaveLength(41);
  });

  test('the range comes from the index in order', async () => {
    await add(20_000);
    await sql(gala.databaseUrl, 'ANALYZE events');
    const rows = await sql<{ 'QUERY PLAN': string }>(
      gala.databaseUrl,
      `EXPLAIN SELECT * FROM events WHERE workspace_id = '${toUuid(workspace.id)}' AND mode = 'test'
         AND (epoch, settles_with, number, id) > (1, 5, 5, '00000000-0000-0000-0000-000000000000')
         AND (epoch, settles_with) < ((SELECT max(epoch) FROM event_epochs), (SELECT 1000000000000))
       ORDER BY epoch, settles_with, number, id LIMIT 100`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('events_in_order');
    expect(plan).not.toMatch(/Sort|Seq Scan on events/);
  });
});
