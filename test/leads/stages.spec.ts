import { allEvents } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { sql } from '../support/sql';
import { addStage, type StageBody, stageOf, stagesOf } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

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

const BUILT_IN = [
  ...['new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation', 'confirmed', 'completed'],
  'lost',
];
const keys = async (query = '') => (await stagesOf(client, query)).map(({ key }) => key);
const order = (list: unknown) => client.request('PUT', '/v1/stages/order', { keys: list });
const events = async () =>
  (await allEvents(gala, workspace.id)).filter(({ type }) => type.startsWith('stage.'));
const builtIn = (key: string, outcome: string, position: number): StageBody => ({
  key,
  name: (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll('_', ' '),
  outcome,
  position,
  allowedFrom: null,
  requiredFields: [],
  maxDays: null,
  isHidden: false,
  archivedAt: null,
  leads: 0,
  moving: null,
});

describe('a workspace that has changed nothing', () => {
  test('has the eight built-in stages, and no rows of its own', async () => {
    const outcomes = ['open', 'open', 'open', 'open', 'open', 'won', 'won', 'lost'];
    expect(await stagesOf(client)).toEqual(
      BUILT_IN.map((key, index) => builtIn(key, outcomes[index]!, index + 1)),
    );
    const lead = await createLead(client, { stage: 'contacted' });
    await client.patch(`/v1/leads/${lead.id}`, { guests: 5 });
    for (const table of ['stages', 'lead_stage_changes']) {
      expect(
        await sql(
          gala.databaseUrl,
          `SELECT FROM ${table} WHERE workspace_id = (
        SELECT workspace_id FROM leads ORDER BY created_at DESC LIMIT 1)`,
        ),
      ).toEqual([]);
    }
  });

  test('counts the leads at each, archived ones included', async () => {
    const lead = await createLead(client);
    await createLead(client);
    await client.delete(`/v1/leads/${lead.id}`);
    expect(await stageOf(client, 'new_enquiry')).toEqual({ ...builtIn('new_enquiry', 'open', 1), leads: 2 });
  });
});

describe('adding a stage', () => {
  test('puts it last, with what was given', async () => {
    const fields = {
      name: 'Tasting',
      allowedFrom: ['visit_booked'],
      requiredFields: ['guests'],
      maxDays: 14,
    };
    const answer = await client.post('/v1/stages', { key: 'tasting', ...fields });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: '/v1/stages/tasting', etag: '"1"' },
    });
    expect(answer.body).toEqual({ ...builtIn('tasting', 'open', 9), ...fields });
    expect((await client.get('/v1/stages/tasting')).body).toEqual(answer.body);
    expect(await keys()).toEqual([...BUILT_IN, 'tasting']);
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'stage.created', data: answer.body, previous: null, mode: 'live' }),
    ]);
  });

  test('adds it to one mode and one workspace alone', async () => {
    await addStage(client, 'tasting');
    expect((await stagesOf(await workspace.client('test'))).map(({ key }) => key)).toEqual(BUILT_IN);
    expect((await stagesOf(await (await gala.createWorkspace()).client())).map(({ key }) => key)).toEqual(
      BUILT_IN,
    );
  });

  test.each([
    ['key', { key: 'Tasting' }],
    ['key', { key: '1st' }],
    ['key', { key: 'a'.repeat(41) }],
    ['key', { key: null }],
    ['key', { key: 'lost' }],
    ['name', { name: ' ' }],
    ['name', { name: 'a'.repeat(61) }],
    ['outcome', { outcome: 'maybe' }],
    ['maxDays', { maxDays: 0 }],
    ['maxDays', { maxDays: 366 }],
    ['isHidden', { isHidden: 'yes' }],
    ['allowedFrom', { allowedFrom: ['nowhere'] }],
    ['allowedFrom', { allowedFrom: ['lost', 'lost'] }],
    ['requiredFields', { requiredFields: ['stage'] }],
    ['requiredFields', { requiredFields: ['guests', 'guests'] }],
    ['requiredFields', { requiredFields: ['lostReasonId'] }],
    ['position', { position: 1 }],
  ])('refuses %s: %j', async (field, given) => {
    expectInvalid(await client.post('/v1/stages', { key: 'tasting', name: 'Tasting', ...given }), field);
    expect(await keys()).toEqual(BUILT_IN);
  });

  test('a key stays taken, also by an archived stage', async () => {
    await addStage(client, 'tasting');
    await client.post('/v1/stages/tasting/archive');
    expectInvalid(await client.post('/v1/stages', { key: 'tasting', name: 'Again' }), 'key');
  });

  test('ends at thirty stages; archived ones don’t count', async () => {
    for (let count = 9; count <= 30; count++) await addStage(client, `stage_${count}`);
    expectInvalid(await client.post('/v1/stages', { key: 'more', name: 'More' }), 'key');
    await client.post('/v1/stages/stage_9/archive');
    await addStage(client, 'more');
    expectInvalid(await client.post('/v1/stages/stage_9/restore'), 'key');
    const [first, second] = [
      (await client.get('/v1/stages')).body,
      (await client.get('/v1/stages?page=2')).body,
    ];
    expect(first.pagination).toMatchObject({ total: 31, pages: 2, hasNext: true });
    const rest = (await client.get(`/v1/stages?cursor=${first.pagination.nextCursor}`)).body;
    expect(rest.data).toEqual(second.data);
    expect([...first.data, ...second.data]).toEqual(await stagesOf(client));
  });

  test.each([
    ['', ['last', 'tasting']],
    ['&archived=false', ['last']],
  ])('a cursor goes on where its stage was before it was archived: %s', async (filter, rest) => {
    await addStage(client, 'tasting');
    await addStage(client, 'last');
    const { nextCursor } = (await client.get(`/v1/stages?limit=9${filter}`)).body.pagination;
    await client.post('/v1/stages/tasting/archive');
    expect(await keys(`&cursor=${nextCursor}${filter}`)).toEqual(rest);
  });

  test('several at once get different positions', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => addStage(client, key)));
    const positions = (await stagesOf(client)).map(({ position }) => position);
    expect(new Set(positions).size).toBe(12);
  });
});

describe('changing a stage', () => {
  const patch = (key: string, body: object, headers: Record<string, string> = {}) =>
    client.patch(`/v1/stages/${key}`, body, { headers });

  test('a built-in one can be renamed, hidden and given a number of days', async () => {
    const changes = { name: 'First contact', isHidden: true, maxDays: 3 };
    const { body } = await patch('contacted', changes);
    expect(body).toEqual({ ...builtIn('contacted', 'open', 2), ...changes });
    expect(await stageOf(client, 'contacted')).toEqual(body);
    expect(await events()).toEqual([
      expect.objectContaining({
        type: 'stage.updated',
        data: body,
        previous: { name: 'Contacted', isHidden: false, maxDays: null },
      }),
    ]);
    await createLead(client, { stage: 'contacted' });
  });

  test.each([
    ['outcome', { outcome: 'won' }],
    ['allowedFrom', { allowedFrom: ['lost'] }],
    ['allowedFrom', { allowedFrom: [] }],
    ['requiredFields', { requiredFields: ['guests'] }],
  ])('a built-in one keeps its %s', async (field, body) => {
    expectInvalid(await patch('contacted', body), field);
  });

  test('nothing new is no change', async () => {
    await addStage(client, 'tasting', { requiredFields: ['guests'] });
    const before = await stageOf(client, 'tasting');
    const answer = await patch('tasting', { name: 'tasting', requiredFields: ['guests'], outcome: 'open' });
    expect(answer.body).toEqual(before);
    expect(answer.headers.etag).toBe('"1"');
    expect((await events()).map(({ type }) => type)).toEqual(['stage.created']);
  });

  test('null clears rules', async () => {
    await addStage(client, 'tasting', {
      name: 'Tasting',
      allowedFrom: ['lost'],
      requiredFields: ['guests'],
      maxDays: 2,
    });
    const cleared = { allowedFrom: null, requiredFields: null, maxDays: null };
    expect((await patch('tasting', cleared)).body).toEqual(builtIn('tasting', 'open', 9));
  });

  test('the outcome changes until a lead has been there', async () => {
    await addStage(client, 'tasting');
    expect((await patch('tasting', { outcome: 'won' })).body.outcome).toBe('won');
    const lead = await createLead(client, { stage: 'tasting' });
    expectInvalid(await patch('tasting', { outcome: 'open' }), 'outcome');
    await client.patch(`/v1/leads/${lead.id}`, { stage: 'lost' });
    expectInvalid(await patch('tasting', { outcome: 'open' }), 'outcome');
    expect((await patch('tasting', { outcome: 'won', name: 'Other' })).status).toBe(200);
  });

  test('one open stage has to be shown', async () => {
    for (const key of BUILT_IN.slice(0, 4)) await patch(key, { isHidden: true });
    expectInvalid(await patch('negotiation', { isHidden: true }), 'isHidden');
    await addStage(client, 'tasting');
    expect((await patch('negotiation', { isHidden: true })).status).toBe(200);
  });

  test('goes by If-Match', async () => {
    await addStage(client, 'tasting');
    const answer = await patch('tasting', { name: 'One' }, { 'If-Match': '"1"' });
    expect(answer.headers.etag).toBe('"2"');
    expectInvalid(await patch('tasting', { name: 'Two' }, { 'If-Match': '"1"' }), 'If-Match');
  });

  test.each(['nowhere', 'Nowhere', 'constructor', '%20'])('there is no stage %s', async (key) => {
    expectNotFound(await client.get(`/v1/stages/${key}`));
    expectNotFound(await patch(key, { name: 'x' }));
    expectNotFound(await client.post(`/v1/stages/${key}/archive`));
    expectNotFound(await client.post(`/v1/stages/${key}/restore`));
  });
});

describe('reordering', () => {
  test('takes the whole permutation', async () => {
    await addStage(client, 'tasting');
    const wanted = ['tasting', ...BUILT_IN.toReversed()];
    const { status, body } = await order(wanted);
    expect(status).toBe(200);
    expect(body.data.map(({ key }: StageBody) => key)).toEqual(wanted);
    expect(await keys()).toEqual(wanted);
    expect((await order(wanted)).body).toEqual(body);
    const moved = (await events()).filter(({ type }) => type === 'stage.updated');
    expect(moved.find(({ data }) => data.key === 'tasting')).toMatchObject({
      data: { position: 1 },
      previous: { position: 9 },
    });
    // The stage in the middle keeps its place.
    expect(moved).toHaveLength(8);
  });

  test.each([
    [BUILT_IN.slice(1)],
    [[...BUILT_IN, 'nowhere']],
    [[...BUILT_IN.slice(1), 'contacted']],
    [[...BUILT_IN, 'lost']],
    [[]],
    [null],
    ['lost'],
    [Array(31).fill('lost')],
  ])('refuses anything else: %j', async (given) => {
    expectInvalid(await order(given), 'keys');
    expect(await keys()).toEqual(BUILT_IN);
  });

  test('two at once end in one of the two orders', async () => {
    const orders = [BUILT_IN.toReversed(), [...BUILT_IN.slice(4), ...BUILT_IN.slice(0, 4)]];
    for (let round = 0; round < 5; round++) {
      await Promise.all(orders.map(order));
      expect(orders).toContainEqual(await keys());
    }
  });
});

test('reading takes leads:read, writing schema:write', async () => {
  const reader = await workspace.client('live', ['leads:read', 'leads:write']);
  expect((await reader.get('/v1/stages')).status).toBe(200);
  expectForbidden(await reader.post('/v1/stages', { key: 'tasting', name: 'Tasting' }));
  const writer = await workspace.client('live', ['schema:write']);
  expectForbidden(await writer.get('/v1/stages'));
  await addStage(writer, 'tasting');
});

test('the audit log tells who did it', async () => {
  await addStage(client, 'tasting');
  await client.patch('/v1/stages/tasting', { name: 'Menu' });
  await order([...BUILT_IN, 'tasting'].toReversed());
  await client.post('/v1/stages/tasting/archive');
  await client.post('/v1/stages/tasting/restore');
  const rows = await sql(
    gala.databaseUrl,
    `SELECT action, mode FROM audit_log WHERE action LIKE 'stage.%' ORDER BY id DESC LIMIT 5`,
  );
  expect(rows.map(({ action }) => action).toReversed()).toEqual([
    'stage.created',
    'stage.updated',
    'stage.reordered',
    'stage.archived',
    'stage.restored',
  ]);
});
