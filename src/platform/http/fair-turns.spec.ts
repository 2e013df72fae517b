import fc from 'fast-check';
import { BadRequest, RateLimited } from '../../kernel/errors';
import { FairTurns, type Turn } from './fair-turns';

const READ = 'GET /small';
const EXPORT = 'GET /large';
const LARGE_ANSWER = 4_000_000;
const ALONE_MS = 10_001;

let nowMs: number;
let idleMs: number;
let refused: number;
let turns: FairTurns;
let running: Running[];
beforeEach(() => {
  jest.useFakeTimers();
  [nowMs, idleMs, refused, running] = [1, 0, 0, []];
  turns = make(1000);
});
afterEach(() => jest.useRealTimers());

const make = (room: number) =>
  new FairTurns({
    connections: 10,
    room,
    now: () => nowMs,
    idle: () => idleMs,
    onRefused: () => refused++,
  });

interface Running {
  tenant: string;
  caller: string;
  route: string;
  turn: Turn;
}

/** Asks for a turn; what gets one shows up in `running`. Resolves to the error of what is refused. */
async function ask(
  tenant: string,
  { caller = tenant, route = READ, bytes = 0, isWanted = (): boolean => true } = {},
): Promise<unknown> {
  try {
    const turn = await turns.enter({ tenant, caller }, { route, bytes, isWanted });
    running.push({ tenant, caller, route, turn });
    return undefined;
  } catch (error) {
    return error;
  }
}

function end(ended: Running, answerBytes = 0): Promise<unknown> {
  running.splice(running.indexOf(ended), 1);
  ended.turn.leave(answerBytes);
  return settled();
}
const settled = async () => {
  for (let round = 0; round < 5; round++) await Promise.resolve();
};
const runningOf = (tenant: string) => running.filter((each) => each.tenant === tenant);

/** Makes what one request to the route costs known. */
async function learn(tenant: string, route: string, answerBytes: number, caller = tenant): Promise<void> {
  await ask(tenant, { caller, route });
  await end(running.at(-1)!, answerBytes);
}

describe('a tenant alone', () => {
  test('has every turn for small requests', async () => {
    await learn('a', READ, 100);
    for (let count = 0; count < 100; count++) void ask('a');
    await settled();
    expect(running).toHaveLength(64);
    await end(running[0]!);
    expect(running).toHaveLength(64);
  });

  test('has heavy requests on all connections but two', async () => {
    await learn('a', EXPORT, LARGE_ANSWER);
    for (let count = 0; count < 20; count++) void ask('a', { route: EXPORT });
    await settled();
    expect(running).toHaveLength(8);
  });
});

describe('while several tenants are around', () => {
  beforeEach(async () => {
    await learn('a', READ, 100);
    await learn('b', READ, 100);
    await learn('a', EXPORT, LARGE_ANSWER);
    await learn('b', EXPORT, LARGE_ANSWER);
  });

  test('heavy requests of each run one at a time, whichever of its callers they are from', async () => {
    await learn('a', EXPORT, LARGE_ANSWER, 'other key');
    for (let count = 0; count < 5; count++) {
      void ask('a', { route: EXPORT });
      void ask('a', { route: EXPORT, caller: 'other key' });
      void ask('b', { route: EXPORT });
    }
    await settled();
    expect(running.map(({ tenant }) => tenant)).toEqual(['a', 'b']);
    await end(running[0]!, LARGE_ANSWER);
    expect(running.map(({ tenant }) => tenant)).toEqual(['b', 'a']);
  });

  test('heavy requests hold up no small ones, of their own caller neither', async () => {
    for (let count = 0; count < 5; count++) void ask('a', { route: EXPORT });
    void ask('a');
    void ask('b');
    await settled();
    expect(running.map(({ route }) => route)).toEqual([EXPORT, READ, READ]);
  });

  test('one takes a part of the turns, and leaves a turn free for the next tenant', async () => {
    for (let count = 0; count < 500; count++) void ask('a');
    void ask('b');
    await settled();
    expect(runningOf('a')).toHaveLength(24);
    expect(runningOf('b')).toHaveLength(1);
  });

  test('the next free turn goes to the tenant with the fewest, and among its callers to the one with the fewest', async () => {
    for (const tenant of ['a', 'b', 'c']) await learn(tenant, READ, 100);
    for (const caller of ['one', 'two']) await learn('a', READ, 100, caller);
    for (let count = 0; count < 100; count++) {
      for (const tenant of ['b', 'c', 'd']) void ask(tenant);
      void ask('a', { caller: 'one' });
    }
    void ask('a', { caller: 'two' });
    await settled();
    // Until its first answer, nobody knows what the requests of d cost.
    const taken = runningOf('a').length;
    for (const first of running.filter(({ tenant }) => tenant !== 'a')) await end(first, 100);
    expect(runningOf('a').length).toBeGreaterThan(taken - 1);
    await end(runningOf('a')[0]!, 100);
    expect(running.some(({ caller }) => caller === 'two')).toBe(true);
  });

  test('after ten seconds alone, a tenant has every turn again', async () => {
    await learn('a', READ, 100);
    nowMs += ALONE_MS;
    for (let count = 0; count < 20; count++) void ask('a', { route: EXPORT });
    await settled();
    expect(running).toHaveLength(8);
  });

  test('what waits for a second, for a lock or a mail server, keeps other tenants no longer', async () => {
    await learn('c', EXPORT, LARGE_ANSWER);
    for (const tenant of ['a', 'b', 'c', 'a']) void ask(tenant, { route: EXPORT });
    await settled();
    expect(running.map(({ tenant }) => tenant)).toEqual(['a', 'b']);
    jest.advanceTimersByTime(1000);
    await settled();
    expect(running.map(({ tenant }) => tenant)).toEqual(['a', 'b', 'c']);
  });
});

describe('what a request costs', () => {
  test('is the time that it keeps the database, and the bytes that it reads and answers', async () => {
    await learn('b', READ, 100);
    const isHeavy = async (route: string) => {
      for (let count = 0; count < 3; count++) void ask('a', { route });
      await settled();
      const count = runningOf('a').length;
      while (running.length) await end(running[0]!);
      return count === 1;
    };
    await ask('a', { route: 'search' });
    idleMs += 300;
    await end(running[0]!, 100);
    expect(await isHeavy('search')).toBe(true);
    await ask('a', { route: 'create', bytes: LARGE_ANSWER });
    await end(running[0]!);
    expect(await isHeavy('create')).toBe(true);
    // The event loop was busy with others meanwhile.
    await learn('a', 'read', 100);
    expect(await isHeavy('read')).toBe(false);
  });

  test('is not hidden by cheap requests to the same route', async () => {
    await learn('b', READ, 100);
    for (let count = 0; count < 10; count++) {
      await learn('a', READ, count === 3 ? LARGE_ANSWER : 100);
    }
    for (let count = 0; count < 20; count++) void ask('a');
    await settled();
    expect(runningOf('a').length).toBeLessThan(6);
  });

  test('is forgotten when nothing was heard of a tenant for a minute', async () => {
    await learn('a', READ, 100);
    nowMs += 61_000;
    await ask('b');
    expect((turns as unknown as { tenants: Map<string, unknown> }).tenants.size).toBe(1);
  });
});

describe('room to wait', () => {
  test('is bounded: whoever takes the most of it is refused, and nobody else', async () => {
    turns = make(10);
    await learn('a', READ, 100);
    await learn('b', READ, 100);
    for (let count = 0; count < 24; count++) void ask('a');
    for (let count = 0; count < 24; count++) void ask('b');
    const outcomes = Array.from({ length: 15 }, () => ask('a'));
    outcomes.push(ask('b'));
    await settled();
    expect(refused).toBe(6);
    expect(turns.countWaiting).toBe(10);
    while (running.length) await end(running[0]!);
    const errors = await Promise.all(outcomes);
    expect(errors.filter((error) => error instanceof RateLimited)).toHaveLength(6);
    expect(errors.at(-1)).toBeUndefined();
  });

  test('a large body takes the room of several requests', async () => {
    turns = make(10);
    await learn('a', READ, 100);
    for (let count = 0; count < 64; count++) void ask('a');
    const outcomes = Array.from({ length: 3 }, () => ask('a', { bytes: 256 * 1024 }));
    await settled();
    expect(refused).toBe(2);
    while (running.length) await end(running[0]!);
    expect((await Promise.all(outcomes)).filter(Boolean)).toHaveLength(2);
  });

  test('a client that went away while it waited has no turn', async () => {
    await learn('a', EXPORT, LARGE_ANSWER);
    let isWanted = true;
    for (let count = 0; count < 8; count++) void ask('a', { route: EXPORT });
    const gone = ask('a', { route: EXPORT, isWanted: () => isWanted });
    const next = ask('a', { route: EXPORT });
    await settled();
    isWanted = false;
    await end(running[0]!, LARGE_ANSWER);
    expect(await gone).toEqual(new BadRequest('The client went away before its turn.'));
    expect(await next).toBeUndefined();
  });
});

test('whatever comes and goes, every request gets a turn or is refused, and no turn is lost', async () => {
  const request = fc.record({
    tenant: fc.constantFrom('a', 'b', 'c'),
    caller: fc.constantFrom('1', '2'),
    route: fc.constantFrom(READ, EXPORT),
    bytes: fc.nat(300_000),
  });
  const step = fc.oneof(request, fc.record({ ends: fc.nat(100), answerBytes: fc.nat(LARGE_ANSWER) }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      [running, turns, refused] = [[], make(20), 0];
      const outcomes: Promise<unknown>[] = [];
      for (const each of steps) {
        nowMs += 100;
        if ('tenant' in each) outcomes.push(ask(each.tenant, each));
        else if (running.length) await end(running[each.ends % running.length]!, each.answerBytes);
        await settled();
        expect(turns.countWaiting === 0 || running.length > 0).toBe(true);
      }
      while (running.length) await end(running[0]!);
      expect(turns.countWaiting).toBe(0);
      const errors = (await Promise.all(outcomes)).filter(Boolean);
      expect(errors).toHaveLength(refused);
    }),
  );
});
