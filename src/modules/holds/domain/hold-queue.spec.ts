import * as fc from 'fast-check';
import { newId, type SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { type Claim, Hold, type Placing } from './hold';
import { DEFAULT_POLICY } from './hold-policy';
import { HoldQueue } from './hold-queue';
import { MOST_EVENTS, settle } from './settle';

const NOW = new Date('2027-01-15T09:00:00.000Z');
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const ref: WorkspaceRef = { workspaceId: newId('ws'), mode: 'live' };
const [hall, garden] = [newId('space'), newId('space')] as [SpaceId, SpaceId];

let queue: HoldQueue;
let position: number;
beforeEach(() => {
  queue = new HoldQueue([], DEFAULT_POLICY);
  position = 0;
});

function place(fields: Partial<Placing> & { from?: number; to?: number; expires?: number } = {}): Hold {
  const { from = 1000, to = 1010, expires = 300, spaceIds = [hall], ...rest } = fields;
  const period = { timeZone: 'UTC', startsAt: at(from), endsAt: at(to), startDay: null, endDay: null };
  const placing: Placing = {
    ...{ title: 'Pérez', leadId: null, guests: null, notes: null, group: null },
    ...{ spaceIds, period, position: ++position, expiresAt: at(expires), calendarEventId: newId('cal') },
    claims: spaceIds.map((spaceId) => ({ spaceId, from: at(from), to: at(to) })),
    ...rest,
  };
  const hold = Hold.place(ref, placing, NOW);
  queue.placed(hold);
  return hold;
}

const challenge = (hold: Hold, hours: number) =>
  queue.act({
    ...{ at: NOW, subjects: [hold], type: 'hold.updated' },
    apply: () => void (hold.challengeDeadline = at(hours)),
  });
const release = (hold: Hold, hours = 0) =>
  queue.act({
    ...{ at: at(hours), subjects: [hold], type: 'hold.released' },
    apply: () => hold.end('released', 'released', at(hours)),
  });
const settleAt = (hours: number, ...holds: Hold[]) =>
  settle(
    queue,
    holds.map(({ id }) => id),
    at(hours),
  );
const typesFor = (hold: Hold, events: { type: string; data: object }[]) =>
  events.filter(({ data }) => (data as Hold).id === hold.id).map(({ type }) => type);

test('the rank is one more than the number ahead in a common space', () => {
  const [first, second] = [place(), place({ spaceIds: [garden, hall] })];
  const [third, apart] = [place({ spaceIds: [garden] }), place({ from: 1010, to: 1011 })];
  const ranks = [first, second, third, apart].map((hold) => queue.view(hold).rank);
  expect(ranks).toEqual([1, 2, 2, 1]);
  const events = release(first);
  expect([second, third, apart].map((hold) => queue.view(hold).rank)).toEqual([1, 2, 1]);
  expect([second, third].map((hold) => typesFor(hold, events))).toEqual([['hold.promoted'], []]);
});

test('a challenge asks all ahead to answer, and ends with its challenger', () => {
  const [first, second, third] = [place(), place(), place()];
  const events = challenge(third, 48);
  expect([first, second].map(({ answerBy }) => answerBy)).toEqual([at(48), at(48)]);
  expect(queue.view(first).challengedBy).toEqual([third.id]);
  expect(typesFor(first, events)).toEqual(['hold.challenged']);
  expect(typesFor(third, events)).toEqual(['hold.updated']);
  const gone = release(third);
  expect([first, second].map(({ answerBy }) => answerBy)).toEqual([null, null]);
  expect(typesFor(second, gone)).toEqual(['hold.challenge_withdrawn']);
});

test('of two challenges the earlier deadline counts', () => {
  const [first, second, third] = [place(), place(), place()];
  challenge(third, 48);
  challenge(second, 72);
  expect(first.answerBy).toEqual(at(48));
  release(third);
  expect(first.answerBy).toEqual(at(72));
});

test('a challenged hold that becomes first keeps the winner’s time to answer', () => {
  const [first, second, third] = [place(), place(), place()];
  challenge(third, 48);
  release(first, 40);
  expect(second.answerBy).toEqual(at(64));
  settleAt(63, second);
  expect(second.status).toBe('active');
  settleAt(64, second, third);
  expect(second).toMatchObject({ status: 'expired', endedReason: 'challenge_lapsed', endedAt: at(64) });
  expect(third).toMatchObject({ confirmBy: at(88), answerBy: at(88), challengeDeadline: null });
});

test('becoming first doesn’t shorten a deadline, nor lengthen the hold', () => {
  const [first, second, third] = [place(), place({ expires: 90 }), place()];
  challenge(third, 80);
  release(first, 1);
  expect(second.answerBy).toEqual(at(80));
  release(third, 1);
  expect(second.answerBy).toBeNull();
  expect(second.dueAt).toEqual(at(90));
});

test('when nobody is ahead any more, the challenger has to confirm, or lapses', () => {
  const [first, second] = [place(), place()];
  challenge(second, 48);
  const events = settleAt(100, first, second);
  expect(first).toMatchObject({ status: 'expired', endedReason: 'challenge_lapsed', endedAt: at(48) });
  expect(second).toMatchObject({ status: 'expired', endedReason: 'challenge_lapsed', endedAt: at(72) });
  expect(typesFor(second, events)).toEqual(['hold.promoted', 'hold.expired']);
  expect(events.at(-1)!.timestamp).toEqual(at(72));
});

test('what is due ends in the order of its time, one that becomes due by it as well', () => {
  const [first, second, third] = [place({ expires: 10 }), place({ expires: 30 }), place({ expires: 20 })];
  const events = settleAt(40, third, second, first);
  expect([first, second, third].map(({ endedAt }) => endedAt)).toEqual([at(10), at(30), at(20)]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['hold.expired', 'hold.promoted', 'hold.promoted', 'hold.expired', 'hold.expired'],
  ]);
});

test('what follows from an end that wasn’t asked for waits, and with it all that is due later', () => {
  const [first, second, later] = [place(), place(), place({ spaceIds: [garden], expires: 90 })];
  challenge(second, 48);
  settleAt(100, first, later);
  expect([first, second, later].map(({ status }) => status)).toEqual(['expired', 'active', 'active']);
  settleAt(100, second, later);
  expect([second, later].map(({ endedAt }) => endedAt)).toEqual([at(72), at(90)]);
});

test('a deadline is announced once, and a later one again', () => {
  const hold = place({ expires: 100 });
  expect(hold.nextAt).toEqual(at(76));
  const [expiring, ...more] = settleAt(80, hold);
  expect(expiring).toMatchObject({ type: 'hold.expiring', timestamp: at(76), data: { revision: 1 } });
  expect(more).toEqual([]);
  expect(settleAt(81, hold)).toEqual([]);
  const extend = { apply: () => void (hold.expiresAt = at(200)), subjects: [hold], type: 'hold.updated' };
  queue.act({ at: at(81), ...extend });
  expect(hold.nextAt).toEqual(at(176));
});

/** Holds for 20 spaces and 72 hours that are due at the same time, with short ones behind each, in one space. */
function crowd(bigOnes: number, shortOnes: number): Hold[] {
  return Array.from({ length: bigOnes }, () => {
    const spaceIds = Array.from({ length: 20 }, () => newId('space'));
    const big = place({ spaceIds, to: 1072, expires: 10 });
    for (let hour = 0; hour < shortOnes; hour++) {
      place({ spaceIds: [spaceIds[hour % 20]!], from: 1000 + hour, to: 1001 + hour });
    }
    return big;
  });
}

test('the claims of a hold are read a limited number of times, however many holds are due at once', () => {
  const due = crowd(20, 20);
  let reads = 0;
  const holds = due.flatMap((hold) => [hold, ...queue.rivals(hold)]);
  queue = new HoldQueue(holds, DEFAULT_POLICY);
  for (const hold of holds) {
    let { claims } = hold;
    Object.defineProperty(hold, 'claims', {
      get: () => (reads++, claims),
      set: (given: readonly Claim[]) => void (claims = given),
    });
  }
  settleAt(20, ...due);
  expect(due.every(({ status }) => status === 'expired')).toBe(true);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(5 * holds.length);
});

test('a call ends no more holds once it has told of many, and the next one goes on', () => {
  const due = crowd(30, 50);
  const events = settleAt(20, ...due);
  const left = () => due.filter(({ isLive }) => isLive);
  expect(events.length).toBeLessThan(MOST_EVENTS + 51);
  expect(left()).toEqual(due.slice(-left().length));
  expect(left()).toHaveLength(30 - Math.ceil(MOST_EVENTS / 51));
  for (let calls = 0; calls < 2; calls++) settleAt(20, ...left());
  expect(left()).toEqual([]);
});

const step = fc.record({
  does: fc.constantFrom('place', 'place', 'place', 'move', 'narrow', 'release'),
  which: fc.nat(20),
  spaces: fc.subarray([hall, garden], { minLength: 1 }),
  from: fc.integer({ min: 1000, max: 1020 }),
  hours: fc.integer({ min: 1, max: 10 }),
});

test('whatever is done, the rivals are those whose claims overlap, by position', () => {
  const meets = (one: Hold, other: Hold) =>
    one.claims.some((mine) =>
      other.claims.some(
        (theirs) => mine.spaceId === theirs.spaceId && mine.from < theirs.to && theirs.from < mine.to,
      ),
    );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      queue = new HoldQueue([], DEFAULT_POLICY);
      const holds: Hold[] = [];
      for (const { does, which, spaces: spaceIds, from, hours } of steps) {
        const hold = holds[which % holds.length];
        if (does === 'place' || !hold?.isLive) holds.push(place({ spaceIds, from, to: from + hours }));
        else if (does === 'release') release(hold);
        else {
          const claims = spaceIds.map((spaceId) => ({ spaceId, from: at(from), to: at(from + hours) }));
          const period = { timeZone: 'UTC', startsAt: at(from), endsAt: at(from + hours) };
          const to = { spaceIds, claims, period: { ...period, startDay: null, endDay: null } };
          const apply = () =>
            does === 'move' ? hold.move({ ...to, position: ++position }, NOW) : hold.narrow(to);
          queue.act({ at: NOW, subjects: [hold], type: 'hold.updated', apply });
        }
        for (const one of holds) {
          const others = holds.filter((other) => other !== one && meets(one, other));
          others.sort((before, after) => before.position - after.position);
          expect(queue.rivals(one)).toEqual(others);
        }
      }
    }),
  );
});
