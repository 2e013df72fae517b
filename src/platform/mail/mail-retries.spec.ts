import { retryPause } from './mail-retries';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

test('pauses grow to an hour', () => {
  const pauses = Array.from({ length: 20 }, (_, index) => retryPause(index + 1, 0));
  expect(pauses[0]).toBe(SECOND);
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect(pauses.at(-1)).toBe(HOUR);
});

test('a link that works for an hour gets several attempts', () => {
  let at = 0;
  let attempts = 1;
  while ((at += retryPause(attempts, 1)) < HOUR) attempts++;
  expect(attempts).toBeGreaterThanOrEqual(5);
});
