import { EventLoop } from './event-loop';
import { Metrics } from './metrics';

const TICK_MS = 20;

let time: number;
let metrics: Metrics;
let loop: EventLoop;
beforeEach(() => {
  time = 1000;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => time);
  metrics = new Metrics();
  loop = new EventLoop(metrics);
});
afterEach(() => {
  loop.onApplicationShutdown();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Blocks for the given time, and then lets timers run. */
function block(milliseconds: number): void {
  time += milliseconds;
  tick();
}
function tick(): void {
  jest.advanceTimersByTime(TICK_MS);
}
function idle(ticks: number): void {
  for (let count = 0; count < ticks; count++) block(TICK_MS);
}

test('a small delay is no stall', () => {
  const start = loop.now();
  idle(50);
  block(TICK_MS + 200);
  idle(50);
  expect(loop.stallSince(start)).toBeUndefined();
});

test('a stall is reported for an operation that began before it and ended after it', () => {
  const start = loop.now();
  idle(3);
  block(TICK_MS + 300);
  idle(3);
  expect(loop.stallSince(start)).toBe(300);
});

test('a stall is reported even before the timer runs', () => {
  const start = loop.now();
  time += TICK_MS + 300;
  expect(loop.stallSince(start)).toBe(300);
});

test('a stall isn’t reported for an operation that began after it, even before the timer runs', () => {
  idle(3);
  time += 500;
  const start = loop.now();
  time += 1;
  expect(loop.stallSince(start)).toBeUndefined();
  tick();
  idle(3);
  expect(loop.stallSince(start)).toBeUndefined();
});

test('each stall is counted', async () => {
  block(TICK_MS + 300);
  idle(3);
  block(TICK_MS + 300);
  await expect(metrics.render()).resolves.toContain('gala_event_loop_stalls_total 2');
});
