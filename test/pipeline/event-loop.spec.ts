import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { Metrics, Public, RequireScope } from '../../src/extension';
import { Logger } from '../../src/platform/logging/logger';
import { startGala, type TestGala } from '../support/start-gala';

const BLOCKED_MS = 400;
const STALLED = 'request during an event loop stall';

@Controller('/v1/busy')
class BusyController {
  @Get('waiting')
  @Public()
  async wait() {
    await sleep(BLOCKED_MS);
    return {};
  }

  @Get(':id')
  @RequireScope('leads:read')
  block() {
    const end = performance.now() + BLOCKED_MS;
    while (performance.now() < end);
    return {};
  }
}

@Module({ controllers: [BusyController] })
class BusyModule {}

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ extensions: [{ module: BusyModule }] });
});
afterAll(() => gala.stop());

interface Line {
  message: string;
  requestId: string;
  stalledMs?: number;
  [field: string]: unknown;
}
const lines = () => gala.logged.map((line) => JSON.parse(line) as Line);

/** The one line of a request; it is written when the answer is out. */
async function lineOf(requestId: string): Promise<Line> {
  const found = () => lines().filter((line) => line.requestId === requestId);
  while (found().length === 0) await sleep(10);
  expect(found()).toHaveLength(1);
  return found()[0]!;
}

test('a request that blocks everyone is one warning with its route, and is counted', async () => {
  const workspace = await gala.createWorkspace();
  const client = await workspace.client('test');
  await client.get('/v1/busy/someone@example.com', { headers: { 'X-Request-Id': 'blocking' } });
  const line = await lineOf('blocking');
  expect(line).toMatchObject({
    message: STALLED,
    method: 'GET',
    route: '/v1/busy/:id',
    status: 200,
    workspace: workspace.id,
    mode: 'test',
    stalledMs: expect.any(Number),
  });
  expect(line.stalledMs).toBeGreaterThan(200);
  expect(JSON.stringify(line)).not.toContain('example.com');
  await sleep(50);
  const metrics = await gala.app.get(Metrics, { strict: false }).render();
  expect(metrics).toMatch(/^gala_event_loop_stalls_total [1-9]/m);
  expect(metrics).toMatch(
    /^nodejs_eventloop_lag_max_seconds 0\.[2-9]|^nodejs_eventloop_lag_max_seconds [1-9]/m,
  );
});

test('those that were under way meanwhile are told of, too', async () => {
  const client = await (await gala.createWorkspace()).client();
  const waiting = gala.anonymous.get('/v1/busy/waiting', { headers: { 'X-Request-Id': 'waiting' } });
  await sleep(20);
  await client.get('/v1/busy/1');
  await waiting;
  expect(await lineOf('waiting')).toMatchObject({ message: STALLED, route: '/v1/busy/waiting' });
});

test('of those that one stall held up one is a warning, and the next warning says how many others there were', async () => {
  const warn = jest.spyOn(gala.app.get(Logger, { strict: false }), 'warn');
  const client = await (await gala.createWorkspace()).client();
  const held = async (name: string, count: number) => {
    await sleep(1100);
    warn.mockClear();
    const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`);
    const waiting = ids.map((id) =>
      gala.anonymous.get('/v1/busy/waiting', { headers: { 'X-Request-Id': id } }),
    );
    await sleep(20);
    await client.get('/v1/busy/1', { headers: { 'X-Request-Id': `${name}-blocking` } });
    await Promise.all(waiting);
    return Promise.all([...ids, `${name}-blocking`].map(lineOf));
  };
  const first = await held('crowd', 5);
  expect(first.map(({ message }) => message)).toEqual(Array(6).fill(STALLED));
  expect(warn).toHaveBeenCalledTimes(1);
  await held('next', 1);
  expect(warn.mock.calls).toEqual([[expect.objectContaining({ leftOut: 5 }), STALLED]]);
});

test('what only takes long, or comes afterwards, is an ordinary line', async () => {
  // Should the machine be too busy to run us for 200 ms, then not every time.
  const messages = new Set<string>();
  for (let count = 0; count < 5 && !messages.has('request'); count++) {
    const requestId = `long-${count}`;
    await gala.anonymous.get('/v1/busy/waiting', { headers: { 'X-Request-Id': requestId } });
    const line = await lineOf(requestId);
    messages.add(line.message);
    if (line.message === 'request') expect(line).not.toHaveProperty('stalledMs');
  }
  expect(messages).toContain('request');
});
