import { parseUrl } from './url';

test('a URL outside of ASCII is one however often it is asked', () => {
  for (let count = 0; count < 30_000; count++) {
    if (!parseUrl('https://münchen.de/')) throw new Error(`Not the ${count}th time.`);
  }
  expect(parseUrl('https://münchen.de/')!.href).toBe('https://xn--mnchen-3ya.de/');
});

test.each(['', '/path', 'example.com', 'https://'])('%j is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
