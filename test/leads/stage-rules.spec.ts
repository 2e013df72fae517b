import { eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead, list, namesIn } from '../support/leads';
import { expectInvalid, expectNotFound } from '../support/refusals';
import { newId } from '../../src/kernel/ids';
import { sql } from '../support/sql';
import { addReason, addStage } from '../support/stages';
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

const patch = (id: string, body: object) => client.patch(`/v1/leads/${id}`, body);
const stageOfLead = async (id: string) => (await client.get(`/v1/leads/${id}`)).body.stage;

describe('an added stage', () => {
  test('is entered by creation and by update, with its outcome', async () => {
    await addStage(client, 'deposit_paid', { outcome: 'won' });
    const created = await createLead(client, { stage: 'deposit_paid' });
    expect(created).toMatchObject({ stage: 'deposit_paid', outcome: 'won' });
    const lead = await createLead(client);
    expect(lead.outcome).toBe('open');
    const { body } = await patch(lead.id, { stage: 'deposit_paid' });
    expect(body).toMatchObject({ stage: 'deposit_paid', outcome: 'won' });
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(body);
    expect((await list(client, { stage: 'deposit_paid' })).body.data).toContainEqual(body);
    const [, updated, moved] = await eventsOf(gala, lead.id);
    expect(updated).toMatchObject({
      type: 'lead.updated',
      data: body,
      previous: { stage: 'new_enquiry', outcome: 'open', updatedAt: lead.updatedAt },
    });
    expect(moved).toMatchObject({ type: 'lead.stage_changed', previous: { stage: 'new_enquiry' } });
  });

  test('that the workspace doesn’t have is refused, and what there is named', async () => {
    await addStage(await workspace.client('test'), 'tasting');
    const lead = await createLead(client);
    for (const answer of [
      await client.post('/v1/leads', { email: 'ana@example.com', stage: 'tasting' }),
      await patch(lead.id, { stage: 'tasting' }),
      await client.patch(`/v1/leads/${newId('lead')}`, { stage: 'tasting' }),
      await list(client, { stage: 'tasting' }),
    ]) {
      expectInvalid(answer, 'stage');
      expect(answer.body.error.message).toContain('must be one of new_enquiry, contacted,');
    }
    await addStage(client, 'tasting');
    expectNotFound(await client.patch(`/v1/leads/${newId('lead')}`, { stage: 'tasting' }));
    expect((await list(client, { stage: 'tasting' })).body.pagination.total).toBe(0);
  });

  test('archived, it can’t be entered; a lead that is there can be changed', async () => {
    await addStage(client, 'tasting');
    const inside = await createLead(client, { stage: 'tasting' });
    await client.post('/v1/stages/tasting/archive', { moveTo: 'negotiation' });
    expectInvalid(await client.post('/v1/leads', { email: 'ana@example.com', stage: 'tasting' }), 'stage');
    const outside = await createLead(client);
    expectInvalid(await patch(outside.id, { stage: 'tasting' }), 'stage');
    expect((await patch(inside.id, { stage: 'tasting', guests: 5 })).body).toMatchObject({ guests: 5 });
    expect((await patch(inside.id, { stage: 'lost' })).body.stage).toBe('lost');
  });
});

describe('allowedFrom', () => {
  beforeEach(() => addStage(client, 'tasting', { allowedFrom: ['visit_booked', 'negotiation'] }));

  test('lets leads in from the named stages alone', async () => {
    const lead = await createLead(client);
    const refused = await patch(lead.id, { stage: 'tasting', guests: 5 });
    expectInvalid(refused, 'stage');
    expect(refused.body.error.message).toContain('visit_booked, negotiation');
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
    await patch(lead.id, { stage: 'visit_booked' });
    expect((await patch(lead.id, { stage: 'tasting' })).body.stage).toBe('tasting');
    expect((await patch(lead.id, { stage: 'contacted' })).body.stage).toBe('contacted');
  });

  test('is about moves, not about new leads', async () => {
    expect((await createLead(client, { stage: 'tasting' })).stage).toBe('tasting');
  });
});

describe('requiredFields', () => {
  beforeEach(() => addStage(client, 'tasting', { requiredFields: ['phone', 'guests', 'tags'] }));

  test('must have a value, given by the same request if need be', async () => {
    const lead = await createLead(client, { guests: 80 });
    const refused = await patch(lead.id, { stage: 'tasting' });
    expectInvalid(refused, 'phone');
    expect(refused.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'phone',
      'tags',
    ]);
    expectInvalid(
      await patch(lead.id, { stage: 'tasting', phone: '+34600123456', tags: ['a'], guests: null }),
      'guests',
    );
    expect((await patch(lead.id, { stage: 'tasting', phone: '+34600123456', tags: ['a'] })).status).toBe(200);
    // Once it is there, the fields can be cleared.
    expect((await patch(lead.id, { phone: null })).status).toBe(200);
  });

  test('count for new leads, too', async () => {
    const given = { email: 'ana@example.com', stage: 'tasting', phone: '+34600123456', tags: ['a'] };
    expectInvalid(await client.post('/v1/leads', given), 'guests');
    expect((await client.post('/v1/leads', { ...given, guests: 3 })).status).toBe(201);
  });
});

describe('the filter by outcome', () => {
  test('finds the leads of all stages with it, with an exact total', async () => {
    await addStage(client, 'deposit_paid', { outcome: 'won' });
    for (const [name, stage] of [
      ['A', 'deposit_paid'],
      ['B', 'confirmed'],
      ['C', 'completed'],
      ['D', 'lost'],
      ['E', 'contacted'],
      ['F', 'deposit_paid'],
    ]) {
      await createLead(client, { name: name!, stage: stage! });
    }
    expect(await namesIn(client, { outcome: 'won' })).toEqual(['F', 'C', 'B', 'A']);
    expect(await namesIn(client, { outcome: 'lost' })).toEqual(['D']);
    expect(await namesIn(client, { outcome: 'open' })).toEqual(['E']);
    expect(await namesIn(client, { outcome: 'won', sort: 'name' })).toEqual(['A', 'B', 'C', 'F']);
    expect(await namesIn(client, { outcome: 'won', stage: 'deposit_paid' })).toEqual(['F', 'A']);
    expect(await namesIn(client, { outcome: 'won', stage: 'contacted' })).toEqual([]);
    const { body } = await list(client, { outcome: 'won', limit: 3, archived: 'all' });
    expect(body.pagination).toMatchObject({ total: 4, pages: 2, hasNext: true });
    const next = await list(client, {
      outcome: 'won',
      limit: 3,
      archived: 'all',
      cursor: body.pagination.nextCursor,
    });
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['A']);
    expectInvalid(await list(client, { outcome: 'maybe' }), 'outcome');
  });
});

describe('why a lead was lost', () => {
  test('is set with a lost stage or later, and cleared when the lead leaves it', async () => {
    const reason = await addReason(client, 'Over budget');
    const lead = await createLead(client);
    const lost = (await patch(lead.id, { stage: 'lost', lostReasonId: reason.id, lostNote: 'By far' })).body;
    expect(lost).toMatchObject({ outcome: 'lost', lostReasonId: reason.id, lostNote: 'By far' });
    const back = (await patch(lead.id, { stage: 'contacted' })).body;
    expect(back).toMatchObject({ outcome: 'open', lostReasonId: null, lostNote: null });
    const left = (await eventsOf(gala, lead.id)).find(
      ({ type, data }) => type === 'lead.updated' && data.stage === 'contacted',
    );
    expect(left!.previous).toEqual({
      stage: 'lost',
      outcome: 'lost',
      lostReasonId: reason.id,
      lostNote: 'By far',
      updatedAt: lost.updatedAt,
    });
  });

  test('can be given for a new lead, and from one lost stage to another it stays', async () => {
    const reason = await addReason(client, 'Over budget');
    await addStage(client, 'no_answer', { outcome: 'lost', requiredFields: ['lostReasonId'] });
    const lead = await createLead(client, { stage: 'lost', lostNote: 'Why' });
    expectInvalid(await patch(lead.id, { stage: 'no_answer' }), 'lostReasonId');
    const { body } = await patch(lead.id, { stage: 'no_answer', lostReasonId: reason.id });
    expect(body).toMatchObject({ lostReasonId: reason.id, lostNote: 'Why' });
    expect((await patch(lead.id, { stage: 'lost' })).body).toMatchObject({ lostReasonId: reason.id });
    expect((await patch(lead.id, { lostReasonId: null })).body).toMatchObject({ lostReasonId: null });
  });

  test.each(['lostReasonId', 'lostNote'])('isn’t set while it isn’t lost: %s', async (field) => {
    const value = field === 'lostNote' ? 'Why' : (await addReason(client, 'Over budget')).id;
    const lead = await createLead(client, { stage: 'lost' });
    expectInvalid(await client.post('/v1/leads', { email: 'ana@example.com', [field]: value }), field);
    expectInvalid(await patch(lead.id, { stage: 'contacted', [field]: value }), field);
    expect((await patch(lead.id, { stage: 'contacted', [field]: null })).status).toBe(200);
    expectInvalid(await patch(lead.id, { [field]: value }), field);
  });

  test('must be a reason of the workspace that isn’t archived', async () => {
    const reason = await addReason(client, 'Over budget');
    const other = await addReason(await workspace.client('test'), 'Over budget');
    const lead = await createLead(client, { stage: 'lost' });
    for (const lostReasonId of [other.id, newId('lead').replace('lead', 'reason'), newId('lead'), 'x', 5]) {
      expectInvalid(await patch(lead.id, { lostReasonId }), 'lostReasonId');
      const given = { email: 'ana@example.com', stage: 'lost', lostReasonId };
      expectInvalid(await client.post('/v1/leads', given), 'lostReasonId');
    }
    await patch(lead.id, { lostReasonId: reason.id });
    await client.delete(`/v1/lost-reasons/${reason.id}`);
    expect((await patch(lead.id, { lostReasonId: reason.id, guests: 2 })).status).toBe(200);
    expectInvalid(
      await client.post('/v1/leads', { email: 'ana@example.com', stage: 'lost', lostReasonId: reason.id }),
      'lostReasonId',
    );
  });
});

test('an instance of an earlier version, which writes no outcome, leads nobody astray', async () => {
  await addStage(client, 'deposit_paid', { outcome: 'won' });
  const lead = await createLead(client, { stage: 'deposit_paid' });
  await sql(
    gala.databaseUrl,
    "UPDATE leads SET stage = 'contacted', revision = revision + 1 WHERE name IS NULL",
  );
  expect((await client.get(`/v1/leads/${lead.id}`)).body.outcome).toBe('open');
  expect((await list(client, { stage: 'contacted' })).body.data[0].outcome).toBe('open');
  expect((await patch(lead.id, { stage: 'lost' })).body.outcome).toBe('lost');
  expect(await stageOfLead(lead.id)).toBe('lost');
});
