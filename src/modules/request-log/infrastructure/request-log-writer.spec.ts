import { newId } from '../../../kernel/ids';
import { Metrics } from '../../../platform/health/metrics';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import type { Logger } from '../../../platform/logging/logger';
import type { AnsweredRequest, AccessLog } from '../../../platform/logging/access-log';
import type { Database } from '../../../platform/persistence/database';
import { RequestLogWriter } from './request-log-writer';

const CAPACITY = 10_000;
const SUCCESSES_A_MINUTE = 6_000;
const caller = {
  workspaceId: newId('ws'),
  mode: 'live',
  credential: { type: 'api_key', id: newId('key'), name: 'Website form', scopes: [] },
} as const;

/** A writer whose database takes statements only while `isAway` is false. */
function writing() {
  const metrics = new Metrics();
  const warnings: object[] = [];
  const time = { now: Date.parse('2027-01-15T09:30:00Z') };
  const database = { isAway: false, written: [] as string[][] };
  let answer: (answered: AnsweredRequest) => void = () => undefined;
  const writer = new RequestLogWriter(
    {
      sql: (_text: string, values: unknown[]) => {
        if (database.isAway) return Promise.reject(new Error('away'));
        const rows = JSON.parse(values[0] as string) as { request_id: string }[];
        database.written.push(rows.map((row) => row.request_id));
        return Promise.resolve([]);
      },
    } as unknown as Database,
    { now: () => new Date(time.now) },
    { warn: (fields: object) => warnings.push(fields) } as unknown as Logger,
    { onAnswered: (listener: typeof answer) => (answer = listener) } as unknown as AccessLog,
    new BackgroundJobs(),
    metrics,
  );
  writer.onModuleInit();
  const answered = (requestId: string, status: number | null = 503, mode: 'live' | 'test' = 'live') =>
    answer({
      requestId,
      caller: { ...caller, mode },
      method: 'GET',
      path: '/v1/me',
      status,
      milliseconds: 1.5,
    });
  const lost = async () => Number(/^gala_request_log_lost_total (\d+)$/m.exec(await metrics.render())![1]);
  return { writer, database, warnings, time, answered, lost };
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

test('lines are written in their order, many with one statement', async () => {
  const { writer, database, answered } = writing();
  const ids = idsUpTo(1200);
  for (const id of ids) answered(id);
  await writer.flush();
  expect(database.written.map(({ length }) => length)).toEqual([500, 500, 200]);
  expect(database.written.flat()).toEqual(ids);
  await writer.flush();
  expect(database.written).toHaveLength(3);
});

test('lines that arrive during a write share the next one', async () => {
  const { writer, database, answered } = writing();
  const ids = idsUpTo(20);
  answered(ids[0]!);
  const flushed = writer.flush();
  for (const id of ids.slice(1)) answered(id);
  await flushed;
  expect(database.written).toEqual([ids.slice(0, 1)]);
  await writer.flush();
  expect(database.written).toEqual([ids.slice(0, 1), ids.slice(1)]);
});

test('a flush goes on while whole batches arrive, until it is told to stop', async () => {
  const { writer, database, answered } = writing();
  const flushWhileOthersArrive = async (signal?: AbortSignal) => {
    answered('first');
    const flushed = writer.flush(signal);
    for (const id of idsUpTo(1100)) answered(id);
    await flushed;
    return database.written.splice(0).map(({ length }) => length);
  };
  expect(await flushWhileOthersArrive()).toEqual([1, 500, 500]);
  await writer.flush();
  expect(database.written.splice(0)).toEqual([idsUpTo(1100).slice(1000)]);
  expect(await flushWhileOthersArrive(AbortSignal.abort())).toEqual([1]);
});

test('what the database can’t take waits, up to a bound; the rest is lost, counted, and told of once', async () => {
  const { writer, database, warnings, answered, lost } = writing();
  database.isAway = true;
  const ids = idsUpTo(CAPACITY + 7);
  for (const id of ids) answered(id);
  await writer.flush();
  await writer.flush();
  expect(await lost()).toBe(7);
  expect(warnings).toHaveLength(1);
  database.isAway = false;
  await writer.flush();
  expect(database.written.flat()).toEqual(ids.slice(0, CAPACITY));
  answered('later');
  await writer.flush();
  expect(database.written.at(-1)).toEqual(['later']);
  expect(await lost()).toBe(7);
});

test('of a flood a share is kept each minute, and every failure', async () => {
  const { writer, database, warnings, time, answered, lost } = writing();
  for (const id of idsUpTo(SUCCESSES_A_MINUTE + 5)) answered(id, 200);
  answered('refused', 429);
  answered('gone', null);
  answered('other mode', 200, 'test');
  time.now += 60_000;
  answered('next minute', 201);
  await writer.flush();
  expect(database.written.flat()).toEqual([
    ...idsUpTo(SUCCESSES_A_MINUTE),
    ...['refused', 'gone', 'other mode', 'next minute'],
  ]);
  expect(await lost()).toBe(5);
  expect(warnings).toEqual([]);
});

test('the next trouble is told of again, with its reason', async () => {
  const { writer, database, warnings, answered } = writing();
  for (const round of [1, 2]) {
    database.isAway = true;
    answered('one');
    await writer.flush();
    expect(warnings).toHaveLength(round);
    expect(warnings.at(-1)).toMatchObject({ message: 'away', waiting: 1 });
    database.isAway = false;
    await writer.flush();
  }
});

test('what waits at the end is written, unless the database was away just before', async () => {
  const { writer, database, answered } = writing();
  answered('last');
  await writer.onApplicationShutdown();
  expect(database.written).toEqual([['last']]);
  answered('too late');
  database.isAway = true;
  await writer.flush();
  database.isAway = false;
  await writer.onApplicationShutdown();
  expect(database.written).toHaveLength(1);
});
