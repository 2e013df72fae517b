import { ByteCache } from './byte-cache';

const of = (bytes: number) => ({ bytes });

test('forgets what wasn’t used for the longest time, once there are too many bytes', () => {
  const cache = new ByteCache(10);
  const [a, b, c] = [of(4), of(4), of(4)];
  cache.set('a', a);
  cache.set('b', b);
  expect(cache.get('a')).toBe(a);
  cache.set('c', c);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, undefined, c]);
});

test('counts what is replaced no longer, and keeps nothing that is too large by itself', () => {
  const cache = new ByteCache(10);
  for (let count = 0; count < 5; count++) cache.set('a', of(6));
  cache.set('b', of(4));
  expect([cache.get('a'), cache.get('b')]).toEqual([of(6), of(4)]);
  cache.set('c', of(11));
  expect(cache.get('c')).toBeUndefined();
});
