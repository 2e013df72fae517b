import { createSpace } from '../support/calendar';
import { allEvents } from '../support/events';
import { type Answer, Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { act, FAR, get, type HoldBody, place, tryPlace } from './support';

/** Placements at once, and rounds of each pair: 300 and 200 when HOLD_RACES is set. */
const [PLACEMENTS, ROUNDS] = process.env.HOLD_RACES ? [300, 200] : [60, 15];

jest.setTimeout(60_000 + ROUNDS * 2_000);

let gala: TestGala;
let other: TestGala;
let workspace: TestWorkspace;
let clients: [Client, Client];
beforeAll(async () => {
  gala = await startGala();
  other = await startGala({ databaseUrl: gala.databaseUrl });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  const [key, second] = [await workspace.key('test'), await workspace.key('test')];
  clients = [new Client(gala.baseUrl, key), new Client(other.baseUrl, second)];
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

test('of many placements at once on two instances, each rank up to the most is given once', async () => {
  const { id: spaceId } = await createSpace(clients[0]);
  const answers = await Promise.all(
    Array.from({ length: PLACEMENTS }, (_, index) => tryPlace(clients[index % 2]!, { ...FAR, spaceId })),
  );
  const placed = answers.filter(({ status }) => status === 201).map(({ body }) => body.rank as number);
  expect(placed.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(PLACEMENTS - 5);
});

/** The two holds of one space, and what both instances answer to acts at the same time. */
type Race = (one: Client, other: Client, holds: [HoldBody, HoldBody]) => Promise<Answer>[];

async function rounds(race: Race, check: (answers: Answer[], holds: HoldBody[]) => void): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: spaceId } = await createSpace(clients[0]);
    const holds: [HoldBody, HoldBody] = [
      await place(clients[0], { ...FAR, spaceId }),
      await place(clients[1], { ...FAR, spaceId }),
    ];
    const [one, second] = round % 2 ? clients : [clients[1], clients[0]];
    const answers = await Promise.all(race(one, second, holds));
    for (const { status } of answers) expect([200, 422]).toContain(status);
    check(answers, await Promise.all(holds.map((hold) => get(clients[round % 2]!, hold))));
    await clients[0].delete(`/v1/spaces/${spaceId}`);
  }
  const ended = (await allEvents(gala, workspace.id)).filter(({ type }) =>
    ['hold.confirmed', 'hold.released', 'hold.expired'].includes(type),
  );
  expect(new Set(ended.map(({ data }) => data.id)).size).toBe(ended.length);
}
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

test('two confirm one hold: one of them does', () =>
  rounds(
    (one, second, [hold]) => [act(one, hold, 'confirm'), act(second, hold, 'confirm')],
    (answers, [first, second]) => {
      expect(statuses(answers)).toEqual([200, 422]);
      expect([first!.status, second!.endedReason]).toEqual(['confirmed', 'outbooked']);
    },
  ));

test('two confirm two rivals: one is an event', () =>
  rounds(
    (one, second, [first, rival]) => [
      act(one, first, 'confirm'),
      act(second, rival, 'confirm', { overHolds: true }),
    ],
    (answers, holds) => {
      expect(statuses(answers)).toEqual([200, 422]);
      expect(holds.map(({ status }) => status).sort()).toEqual(['confirmed', 'released']);
    },
  ));

test('one confirms and one releases: one wins', () =>
  rounds(
    (one, second, [hold]) => [act(one, hold, 'confirm'), act(second, hold, 'release')],
    (answers, [first, second]) => {
      expect(statuses(answers)).toEqual([200, 422]);
      expect(second!.rank).toBe(first!.status === 'confirmed' ? null : 1);
    },
  ));

test('one challenges and one releases: nobody is left to answer', () =>
  rounds(
    (one, second, [first, challenger]) => [act(one, challenger, 'challenge'), act(second, first, 'release')],
    ([challenged], [first, challenger]) => {
      expect(first!.status).toBe('released');
      expect(challenger).toMatchObject({ rank: 1, challengeDeadline: null });
      expect(challenger!.answerBy !== null).toBe(challenged!.status === 200);
    },
  ));

test('a confirmation at the moment of the expiry is in time or isn’t', () =>
  rounds(
    (one, second, [hold]) => {
      const soon = new Date(Date.now() + 30).toISOString();
      return [
        one.patch(`/v1/holds/${hold.id}`, { expiresAt: soon }),
        new Promise<Answer>((resolve) =>
          setTimeout(() => resolve(act(second, hold, 'confirm')), 20 + Math.random() * 20),
        ),
      ];
    },
    ([, confirmed], [first, second]) => {
      const isConfirmed = confirmed!.status === 200;
      expect(['confirmed', 'expired', 'active']).toContain(first!.status);
      expect(first!.status === 'confirmed').toBe(isConfirmed);
      expect(second!.endedReason).toBe(isConfirmed ? 'outbooked' : null);
    },
  ));

test('events and holds at once: a space has one or the other', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: spaceId } = await createSpace(clients[0]);
    const event = {
      type: 'event',
      title: 'Wedding',
      ...FAR,
    };
    const [planned, held] = await Promise.all([
      clients[0].post('/v1/calendar-events', { ...event, spaceId }),
      tryPlace(clients[1], { ...FAR, spaceId }),
    ]);
    expect([planned.status, held.status].sort()).toEqual([201, 422]);
    await clients[0].delete(`/v1/spaces/${spaceId}`);
  }
});

test('the same where nothing was held before, and when the event ends the hold', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = await gala.createWorkspace();
    const one = new Client(gala.baseUrl, await fresh.key('test'));
    const second = new Client(other.baseUrl, await fresh.key('test'));
    const { id: spaceId } = await createSpace(one);
    const overHolds = round % 2 === 1;
    const [planned, held] = await Promise.all([
      one.post('/v1/calendar-events', { type: 'event', title: 'Wedding', ...FAR, spaceId, overHolds }),
      tryPlace(second, { ...FAR, spaceId }),
    ]);
    const isEnded = overHolds && held.status === 201;
    expect([planned.status, held.status].sort()).toEqual(isEnded ? [201, 201] : [201, 422]);
    if (isEnded) expect((await get(one, held.body)).endedReason).toBe('outbooked');
  }
});
