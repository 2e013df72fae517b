import type { Database } from '../../../platform/persistence/database';
import { RegisteredOrigins } from './registered-origins';

function originsOf(read: () => Promise<{ origin: string }[]>) {
  const sql = jest.fn(read);
  return { sql, origins: new RegisteredOrigins({ sql } as unknown as Database) };
}

test('a thousand made-up origins at once are answered by one query', async () => {
  // On a busy machine a thousand answers take longer than an answer is kept.
  jest.useFakeTimers();
  const { sql, origins } = originsOf(() => Promise.resolve([{ origin: 'https://a.test' }]));
  const asked = Array.from({ length: 1000 }, (_, index) => origins.has(`https://made-up-${index}.test`));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([false]));
  expect(await origins.has('https://a.test')).toBe(true);
  expect(sql).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('no origin is known while the database can’t be read, and they are again right after', async () => {
  let isDown = true;
  const { origins } = originsOf(() =>
    isDown ? Promise.reject(new Error('down')) : Promise.resolve([{ origin: 'https://a.test' }]),
  );
  expect(await origins.has('https://a.test')).toBe(false);
  isDown = false;
  expect(await origins.has('https://a.test')).toBe(true);
});
