import { ClientShare } from './client-share';

const MINUTE = 60_000;

test('a lone caller may have all of it', () => {
  const share = new ClientShare(100);
  share.take('a', 60);
  expect([share.hasRoom('a', 40, 0), share.hasRoom('a', 41, 0)]).toEqual([true, false]);
});

test('of several, each leaves as much as it takes, until there is only one again', () => {
  const share = new ClientShare(100);
  expect([share.hasRoom('a', 10, 0), share.hasRoom('b', 10, 0)]).toEqual([true, true]);
  expect([share.hasRoom('a', 51, 0), share.hasRoom('a', 50, 0)]).toEqual([false, true]);
  share.take('a', 50);
  expect([share.hasRoom('b', 26, 0), share.hasRoom('b', 25, 0)]).toEqual([false, true]);
  share.take('a', -50);
  expect([share.hasRoom('b', 100, 9_999), share.hasRoom('b', 100, 10_000)]).toEqual([false, true]);
});

test('is remembered while it is held, or divided', () => {
  const share = new ClientShare(100);
  share.hasRoom('a', 10, 0);
  expect(share.isForgettable(0)).toBe(true);
  share.take('a', 10);
  expect(share.isForgettable(MINUTE)).toBe(false);
  share.take('a', -10);
  share.hasRoom('b', 10, MINUTE);
  expect(share.isForgettable(MINUTE)).toBe(false);
  expect(share.isForgettable(2 * MINUTE)).toBe(true);
});
