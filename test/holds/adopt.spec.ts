import { OPERATOR } from '../../src/kernel/actor';
import { AdoptHolds } from '../../src/modules/holds';
import type { Mode } from '../../src/kernel/principal';
import { auditRecords } from '../audit-log/records';
import { createSpace, type EventBody, plan } from '../support/calendar';
import { allEvents } from '../support/events';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { FAR, type HoldBody, place } from './support';

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
  hall = (await createSpace(client, { setupMinutes: 60 })).id;
});
afterAll(() => gala.stop());

const unranked = (fields: Partial<EventBody> = {}): Promise<EventBody> =>
  plan(client, { type: 'hold', title: 'Pérez', ...FAR, spaceId: hall, ...fields });

function adopt(options: { ids?: string[]; isTrial?: boolean } = {}) {
  const ref = { workspaceId: workspace.id, mode: 'live' as Mode };
  return gala.app
    .get(AdoptHolds, { strict: false })
    .execute(ref, OPERATOR, { isTrial: false, ...options } as never);
}

async function holds(): Promise<HoldBody[]> {
  return (await client.get('/v1/holds')).body.data;
}

test('unranked holds get places behind ranked ones, in the order of their creation', async () => {
  const ranked = await place(client, { ...FAR, spaceId: hall });
  const events = [await unranked(), await unranked({ title: 'Novak' })];
  const adopted = await adopt();
  expect(adopted).toMatchObject([
    { calendarEventId: events[0]!.id, rank: 2, refusal: null },
    { calendarEventId: events[1]!.id, rank: 3, refusal: null },
  ]);
  const listed = new Map((await holds()).map((hold) => [hold.id, hold]));
  expect(listed.get(adopted[1]!.holdId!)).toMatchObject({
    ...{ title: 'Novak', rank: 3, ahead: [ranked.id, adopted[0]!.holdId] },
    ...{ calendarEventId: events[1]!.id, startsAt: FAR.startsAt, status: 'active' },
  });
  const told = (await allEvents(gala, workspace.id)).filter(({ type }) => type === 'hold.placed');
  expect(told.map(({ data }) => data.rank).sort()).toEqual([1, 2, 3]);
  const [record] = await auditRecords(gala, workspace.id);
  expect(record).toMatchObject({
    ...{ action: 'hold.adopted', mode: 'live', actor: { type: 'operator' } },
    details: { count: 2, holds: adopted.map(({ holdId }) => holdId) },
    summary: 'Gave unranked holds of live data a place in the queue: 2',
  });
  expect(await adopt()).toEqual([]);
  expect((await auditRecords(gala, workspace.id))[0]).toEqual(record);
});

test('a trial tells the same, and changes nothing', async () => {
  await unranked();
  const before = await allEvents(gala, workspace.id);
  expect(await adopt({ isTrial: true })).toMatchObject([{ rank: 1, refusal: null }]);
  expect(await holds()).toEqual([]);
  expect(await allEvents(gala, workspace.id)).toEqual(before);
  expect(await auditRecords(gala, workspace.id)).not.toContainEqual(
    expect.objectContaining({ action: 'hold.adopted' }),
  );
});

test('only holds that are chosen, to come, confirmed and in a space', async () => {
  const chosen = await unranked();
  await unranked({ title: 'Other' });
  const past = { startsAt: '2020-06-12T16:00:00.000Z', endsAt: '2020-06-13T01:00:00.000Z' };
  const unfit = [
    await unranked(past),
    await unranked({ spaceId: undefined }),
    await unranked({ type: 'visit' }),
    await unranked({ title: 'Off' }),
  ];
  await client.delete(`/v1/calendar-events/${unfit[3]!.id}`);
  const ids = [chosen, ...unfit].map(({ id }) => id);
  expect(await adopt({ ids })).toMatchObject([{ calendarEventId: chosen.id }]);
  expect(await holds()).toHaveLength(1);
});

test('those that find no place are refused, and the others are not', async () => {
  await client.patch('/v1/hold-policy', { maxRank: 1 });
  const before = await unranked({ startsAt: '2927-06-11T10:00:00.000Z', endsAt: '2927-06-11T12:00:00.000Z' });
  await unranked();
  await unranked({ title: 'Second' });
  // Its set-up begins while the first hold is there.
  const event = { startsAt: '2927-06-11T12:30:00.000Z', endsAt: '2927-06-11T14:00:00.000Z' };
  await plan(client, { ...event, spaceId: hall });
  const adopted = await adopt();
  expect(adopted.map(({ rank }) => rank)).toEqual([null, 1, null]);
  expect(adopted[0]).toMatchObject({
    calendarEventId: before.id,
    refusal: expect.stringMatching(/^spaceId is taken/),
  });
  expect(adopted[2]!.refusal).toMatch(/^spaceId has 1 holds/);
});
