import { LostLeads } from '../../src/modules/holds/infrastructure/lost-leads';
import { auditSummaries } from '../audit-log/records';
import { createSpace } from '../support/calendar';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { get, place, tryPlace } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let hall: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client)).id;
});
afterAll(() => gala.stop());

const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const period = () => ({ spaceId: hall, startsAt: soon(100), endsAt: soon(100.1) });
const DEFAULTS = {
  ...{ defaultDays: 14, maxTotalDays: 60, challengeHours: 48, winnerHours: 24, remindHours: 24 },
  ...{ maxRank: 5, releaseOnLost: true, revision: 1 },
};

describe('the policy', () => {
  test('is there from the beginning, and belongs to a mode', async () => {
    expect((await client.get('/v1/hold-policy')).body).toEqual(DEFAULTS);
    const changed = await client.patch('/v1/hold-policy', { maxRank: 2, defaultDays: 3 });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...DEFAULTS, maxRank: 2, defaultDays: 3, revision: 2 },
    });
    expect((await client.get('/v1/hold-policy')).body).toEqual(changed.body);
    expect((await client.patch('/v1/hold-policy', { maxRank: 2 })).body.revision).toBe(2);
    const said = await auditSummaries(gala, workspace.id);
    expect(said.filter((text) => text === 'Changed the hold policy of live data')).toHaveLength(1);
    const sandbox = await workspace.client('test');
    expect((await sandbox.get('/v1/hold-policy')).body).toEqual(DEFAULTS);
  });

  test('decides how long holds last, and how many wait', async () => {
    await client.patch('/v1/hold-policy', { maxRank: 1, defaultDays: 3, maxTotalDays: 4 });
    const hold = await place(client, period());
    expect(Date.parse(hold.expiresAt) - Date.parse(hold.placedAt)).toBe(3 * 86_400_000);
    expectRefusal(await tryPlace(client, period()), 422, { field: 'spaceId' });
    expectRefusal(await client.patch(`/v1/holds/${hold.id}`, { expiresAt: soon(4.1) }), 422, {
      field: 'expiresAt',
    });
  });

  test('names the first ten when many more ask for the spaces and days', async () => {
    await client.patch('/v1/hold-policy', { maxRank: 20 });
    const holds = [];
    for (let day = 0; day < 25; day++) {
      holds.push(await place(client, { ...period(), startsAt: soon(100 + day), endsAt: soon(100.1 + day) }));
    }
    const answer = await tryPlace(client, { ...period(), endsAt: soon(130) });
    const named = holds.slice(0, 10).map(({ id }) => id);
    expectRefusal(answer, 422, { field: 'spaceId' });
    expect(answer.body.error.details[0].message).toBe(
      `has more than 20 holds at that time already, and 20 are the most: ${named.join(', ')}`,
    );
  });

  test.each([
    ['defaultDays', { defaultDays: 61 }],
    ['maxTotalDays', { maxTotalDays: 13 }],
    ['maxRank', { maxRank: 21 }],
  ])('is refused with bad %s', async (field, changes) => {
    expectRefusal(await client.patch('/v1/hold-policy', changes), 422, { field });
  });
});

describe('a lost lead', () => {
  const lose = async (leadId: string, beforeTold: () => Promise<unknown> = () => Promise.resolve()) => {
    await client.patch(`/v1/leads/${leadId}`, { stage: 'contacted' });
    await client.patch(`/v1/leads/${leadId}`, { stage: 'lost' });
    const changes = (await eventsOf(gala, leadId)).filter(({ type }) => type === 'lead.stage_changed');
    const queued = await sql<{ event_id: string }>(
      gala.databaseUrl,
      `DELETE FROM subscriber_events WHERE subscriber = 'holds' RETURNING event_id`,
    );
    expect(queued).toHaveLength(1);
    const { timestamp, ...event } = changes.at(-1)!;
    const ref = { workspaceId: workspace.id, mode: 'live' };
    const lost = { ...event, timestamp: new Date(timestamp), workspace: ref };
    await beforeTold();
    await gala.app.get(LostLeads, { strict: false }).handle(lost as never);
  };

  test('releases its holds, and no others', async () => {
    const lead = await createLead(client);
    const [mine, other] = [
      await place(client, { ...period(), leadId: lead.id }),
      await place(client, period()),
    ];
    await lose(lead.id);
    expect(await get(client, mine)).toMatchObject({ status: 'released', endedReason: 'lead_closed' });
    expect(await get(client, other)).toMatchObject({ status: 'active', rank: 1 });
  });

  test('keeps them if the policy says so', async () => {
    await client.patch('/v1/hold-policy', { releaseOnLost: false });
    const lead = await createLead(client);
    const hold = await place(client, { ...period(), leadId: lead.id });
    await lose(lead.id);
    expect((await get(client, hold)).status).toBe('active');
  });

  test('keeps them if it isn’t lost any more when its loss is told', async () => {
    const lead = await createLead(client);
    const hold = await place(client, { ...period(), leadId: lead.id });
    const back = () => client.patch(`/v1/leads/${lead.id}`, { stage: 'negotiation' });
    await lose(lead.id, back);
    expect((await get(client, hold)).status).toBe('active');
  });

  test('keeps those that were placed after its loss', async () => {
    const lead = await createLead(client);
    const before = await place(client, { ...period(), leadId: lead.id });
    let after = before;
    await lose(lead.id, async () => {
      after = await place(client, { ...period(), leadId: lead.id });
    });
    expect((await get(client, before)).status).toBe('released');
    expect(await get(client, after)).toMatchObject({ status: 'active', rank: 1 });
  });
});
