import fc from 'fast-check';
import { BadRequest, RateLimited } from '../../kernel/errors';
import { FairTurns, type Kind, type Turn } from './fair-turns';

const ALONE_MS = 10_001;

let nowMs: number;
let refused: number;
let turns: FairTurns;
let running: Running[];
beforeEach(() => {
  jest.useFakeTimers();
  [nowMs, refused, running] = [1, 0, []];
  turns = make(1000);
});
afterEach(() => jest.useRealTimers());

const make = (room: number) =>
  new FairTurns({
    connections: 10,
    room,
    now: () => nowMs,
    onRefused: () => refused++,
  });

interface Running {
  tenant: string;
  caller: string;
  kind: Kind;
  turn: Turn;
}

interface Asked {
  caller: string;
  kind: Kind;
  bytes: number;
  isWanted: () => boolean;
}

/** Asks for a turn; what gets one shows up in `running`. Resolves to the error of what is refused. */
async function ask(
  tenant: string,
  { caller = tenant, kind = 'small', bytes = 0, isWanted = () => true }: Partial<Asked> = {},
): Promise<unknown> {
  try {
    const turn = await turns.enter({ tenant, caller }, { kind, bytes, isWanted });
    running.push({ tenant, caller, kind, turn });
    return undefined;
  } catch (error) {
    return error;
  }
}

function end(ended: Running): Promise<unknown> {
  running.splice(running.indexOf(ended), 1);
  ended.turn.leave();
  return settled();
}
const settled = async () => {
  for (let round = 0; round < 5; round++) {
    jest.advanceTimersByTime(1);
    await Promise.resolve();
  }
};
const runningOf = (tenant: string) => running.filter((each) => each.tenant === tenant);

async function areAround(...tenants: string[]): Promise<void> {
  for (const tenant of tenants) {
    await ask(tenant);
    await end(running.at(-1)!);
  }
}

describe('a tenant alone', () => {
  test('has every turn for small requests', async () => {
    for (let count = 0; count < 100; count++) void ask('a');
    await settled();
    expect(running).toHaveLength(64);
    await end(running[0]!);
    expect(running).toHaveLength(64);
  });

  test.each(['large', 'write'] as const)('has %s requests on all connections but two', async (kind) => {
    for (let count = 0; count < 20; count++) void ask('a', { kind });
    await settled();
    expect(running).toHaveLength(8);
    jest.advanceTimersByTime(60_000);
    await settled();
    expect(running).toHaveLength(8);
  });

  test('lets the next tenant in as soon as one of its large requests is answered', async () => {
    for (let count = 0; count < 20; count++) void ask('a', { kind: 'large' });
    void ask('b', { kind: 'large' });
    await settled();
    expect(runningOf('b')).toHaveLength(0);
    await end(running[0]!);
    expect(runningOf('b')).toHaveLength(1);
  });
});

describe('while several tenants are around', () => {
  beforeEach(() => areAround('a', 'b'));

  test('large requests of each run one at a time, whichever of its callers they are from', async () => {
    for (let count = 0; count < 5; count++) {
      void ask('a', { kind: 'large' });
      void ask('a', { kind: 'large', caller: 'other key' });
      void ask('b', { kind: 'large' });
    }
    await settled();
    expect(running.map(({ tenant }) => tenant)).toEqual(['a', 'b']);
    await end(running[0]!);
    expect(running.map(({ tenant }) => tenant)).toEqual(['b', 'a']);
  });

  test('large requests hold up no others, of their own caller neither', async () => {
    for (let count = 0; count < 5; count++) void ask('a', { kind: 'large' });
    void ask('a');
    void ask('a', { kind: 'write' });
    void ask('b');
    await settled();
    expect(running.map(({ kind }) => kind)).toEqual(['large', 'small', 'write', 'small']);
  });

  test('one takes a part of the turns, and leaves a turn free for the next tenant', async () => {
    for (let count = 0; count < 500; count++) {
      void ask('a');
      void ask('a', { kind: 'write' });
    }
    void ask('b');
    void ask('b', { kind: 'write' });
    await settled();
    const kindsOf = (tenant: string) => runningOf(tenant).map(({ kind }) => kind);
    expect(kindsOf('a').filter((kind) => kind === 'small')).toHaveLength(8);
    expect(kindsOf('a').filter((kind) => kind === 'write')).toHaveLength(4);
    expect(kindsOf('b')).toEqual(['small', 'write']);
  });

  test('the next free turn goes to the tenant with the fewest, and among its callers to the one with the fewest', async () => {
    for (const tenant of ['b', 'c'])
      for (let count = 0; count < 9; count++) void ask(tenant, { kind: 'write' });
    for (let count = 0; count < 9; count++) void ask('a', { kind: 'write', caller: 'one' });
    await settled();
    expect(runningOf('a')).toHaveLength(0);
    await end(runningOf('b')[0]!);
    await end(runningOf('b')[0]!);
    expect(runningOf('a')).toHaveLength(2);
    void ask('a', { kind: 'write', caller: 'two' });
    await end(runningOf('c')[0]!);
    expect(runningOf('a').map(({ caller }) => caller)).toEqual(['one', 'one', 'two']);
  });

  test('tenants with as many turns get the next ones in turn, however many callers each has', async () => {
    await areAround('a', 'b', 'c');
    for (let count = 0; count < 12; count++) {
      void ask('a', { kind: 'large', caller: `a${count}` });
      void ask('b', { kind: 'large', caller: `b${count}` });
      void ask('c', { kind: 'large' });
    }
    await settled();
    const order: string[] = [];
    while (order.length < 12) {
      order.push(running[0]!.tenant);
      await end(running[0]!);
    }
    for (const tenant of ['a', 'b', 'c']) expect(order.filter((each) => each === tenant)).toHaveLength(4);
  });

  test('after ten seconds alone, a tenant has every turn again', async () => {
    nowMs += ALONE_MS;
    await areAround('b');
    nowMs += ALONE_MS;
    for (let count = 0; count < 20; count++) void ask('b', { kind: 'large' });
    await settled();
    expect(running).toHaveLength(8);
  });

  test('writes that wait for a second, for a lock or a mail server, keep other tenants no longer', async () => {
    for (const tenant of ['a', 'b', 'c']) {
      for (let count = 0; count < 5; count++) void ask(tenant, { kind: 'write' });
    }
    await settled();
    expect([runningOf('a'), runningOf('b'), runningOf('c')].map(({ length }) => length)).toEqual([4, 4, 0]);
    jest.advanceTimersByTime(1000);
    await settled();
    expect([runningOf('a'), runningOf('b'), runningOf('c')].map(({ length }) => length)).toEqual([4, 4, 4]);
  });

  test('large requests keep their turns however long they take', async () => {
    for (const tenant of ['a', 'b', 'c']) void ask(tenant, { kind: 'large' });
    jest.advanceTimersByTime(60_000);
    await settled();
    expect(running).toHaveLength(2);
  });
});

test('callers are forgotten when nothing was heard of them for a minute', async () => {
  await areAround('a');
  nowMs += 61_000;
  await ask('b');
  expect((turns as unknown as { tenants: Map<string, unknown> }).tenants.size).toBe(1);
});

describe('room to wait', () => {
  test('is bounded: whoever takes the most of it is refused, and nobody else', async () => {
    turns = make(10);
    await areAround('a', 'b');
    for (let count = 0; count < 8; count++) void ask('a');
    for (let count = 0; count < 8; count++) void ask('b');
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
    for (let count = 0; count < 64; count++) void ask('a');
    const outcomes = Array.from({ length: 3 }, () => ask('a', { bytes: 256 * 1024 }));
    await settled();
    expect(refused).toBe(2);
    while (running.length) await end(running[0]!);
    expect((await Promise.all(outcomes)).filter(Boolean)).toHaveLength(2);
  });

  test('clients that went away take no room from those who wait', async () => {
    turns = make(3);
    let isWanted = true;
    for (let count = 0; count < 8; count++) void ask('a', { kind: 'large' });
    const gone = Array.from({ length: 3 }, () => ask('a', { kind: 'large', isWanted: () => isWanted }));
    isWanted = false;
    const wanted = ask('a', { kind: 'large' });
    expect(await gone[0]).toBeInstanceOf(RateLimited);
    await end(running[0]!);
    expect(await wanted).toBeUndefined();
  });

  test('a client that went away while it waited has no turn', async () => {
    let isWanted = true;
    for (let count = 0; count < 8; count++) void ask('a', { kind: 'large' });
    const gone = ask('a', { kind: 'large', isWanted: () => isWanted });
    const next = ask('a', { kind: 'large' });
    await settled();
    isWanted = false;
    await end(running[0]!);
    expect(await gone).toEqual(new BadRequest('The client went away before its turn.'));
    expect(await next).toBeUndefined();
  });
});

test('whatever comes and goes, no tenant has more than its turns, and every request gets one or is refused', async () => {
  const request = fc.record({
    tenant: fc.constantFrom('a', 'b', 'c'),
    caller: fc.constantFrom('1', '2'),
    kind: fc.constantFrom<Kind>('small', 'write', 'large'),
    bytes: fc.nat(300_000),
  });
  const step = fc.oneof(request, fc.record({ ends: fc.nat(100) }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      [running, turns, refused] = [[], make(20), 0];
      await areAround('a', 'b');
      const outcomes: Promise<unknown>[] = [];
      for (const each of steps) {
        nowMs += 1;
        if ('tenant' in each) outcomes.push(ask(each.tenant, each));
        else if (running.length) await end(running[each.ends % running.length]!);
        await settled();
        const countOf = (kind: Kind, tenant?: string) =>
          running.filter((one) => one.kind === kind && (!tenant || one.tenant === tenant)).length;
        expect(countOf('large')).toBeLessThanOrEqual(2);
        expect(countOf('write')).toBeLessThanOrEqual(8);
        for (const tenant of ['a', 'b', 'c']) {
          expect(countOf('large', tenant)).toBeLessThanOrEqual(1);
          expect(countOf('write', tenant)).toBeLessThanOrEqual(4);
          expect(countOf('small', tenant)).toBeLessThanOrEqual(8);
        }
        expect(turns.countWaiting === 0 || running.length > 0).toBe(true);
      }
      while (running.length) await end(running[0]!);
      expect(turns.countWaiting).toBe(0);
      const errors = (await Promise.all(outcomes)).filter(Boolean);
      expect(errors).toHaveLength(refused);
    }),
  );
});
