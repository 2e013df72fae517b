import type { Logger } from '../logging/logger';
import type { Database } from '../persistence/database';
import type { BackgroundJobs } from './background-jobs';
import { Retention } from './retention';

const NOW = new Date('2027-01-15T09:30:00.000Z');

function retention(isBroken: (text: string) => boolean = () => false) {
  const cleared: { table: unknown; before: unknown }[] = [];
  const sql = (text: string, [before]: unknown[]) => {
    const [, table] = /DELETE FROM (\w+) /.exec(text)!;
    cleared.push({ table, before });
    return isBroken(text) ? Promise.reject(new Error('away')) : Promise.resolve([]);
  };
  const warn = jest.fn();
  const made = new Retention({ sql } as unknown as Database, {} as BackgroundJobs, { now: () => NOW }, {
    warn,
  } as unknown as Logger);
  made.keep('visits', 'seen_at', 1000);
  made.keep('events', 'occurred_at', 60_000);
  return { retention: made, cleared, warn };
}

test('each table keeps its rows for its own time', async () => {
  const { retention: made, cleared } = retention();
  await made.clear();
  expect(cleared).toEqual([
    { table: 'visits', before: new Date('2027-01-15T09:29:59.000Z') },
    { table: 'events', before: new Date('2027-01-15T09:29:00.000Z') },
  ]);
});

test('a table that fails is logged, and keeps no other from being cleared', async () => {
  const { retention: made, cleared, warn } = retention((text) => text.includes('visits'));
  await made.clear();
  expect(cleared.map(({ table }) => table)).toEqual(['visits', 'events']);
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ table: 'visits', message: 'away' }), 'expired rows could not be deleted'],
  ]);
});

test('stops before the next table once the signal aborts', async () => {
  const { retention: made, cleared } = retention();
  const stopping = new AbortController();
  made.add('last', () => Promise.reject(new Error('reached')));
  const clearing = made.clear(stopping.signal);
  stopping.abort();
  await clearing;
  expect(cleared.map(({ table }) => table)).toEqual(['visits']);
});
