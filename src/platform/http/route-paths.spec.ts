import { refuseUnreachable } from './route-paths';

const check = (...routes: [method: string, path: string][]) =>
  refuseUnreachable(
    routes.map(([method, path], index) => ({ handler: `Controller${index}.handle`, method, paths: [path] })),
  );

test.each<[earlier: [string, string], later: [string, string]]>([
  [
    ['GET', '/v1/gifts'],
    ['GET', '/v1/gifts'],
  ],
  [
    ['GET', '/v1/gifts/:id'],
    ['GET', '/v1/gifts/:key'],
  ],
  [
    ['GET', '/v1/gifts/:id/cards/:card'],
    ['GET', '/v1/gifts/:gift/cards/:id'],
  ],
  [
    ['GET', '/v1/gifts/:id'],
    ['GET', '/v1/gifts/export'],
  ],
  [
    ['GET', '/v1/gifts/:id'],
    ['HEAD', '/v1/gifts/:id'],
  ],
  [
    ['ALL', '/v1/gifts'],
    ['POST', '/v1/gifts'],
  ],
  [
    ['ALL', '/{*path}'],
    ['GET', '/v1/gifts/:id'],
  ],
  [
    ['ALL', '/v1/{*path}'],
    ['ALL', '/v1/gifts/{*path}'],
  ],
])('%j handles every request of %j', (earlier, later) => {
  expect(() => check(['GET', '/other'], earlier, later)).toThrow(
    `Controller2.handle (${later.join(' ')}) is never called, because Controller1.handle (${earlier.join(' ')}) ` +
      'handles its requests. Give one of them another path.',
  );
});

test('routes that differ in a method or a word, or stand before the general one, are all reachable', () => {
  expect(() =>
    check(
      ['GET', '/v1/gifts'],
      ['POST', '/v1/gifts'],
      ['GET', '/v1/gifts/export'],
      ['GET', '/v1/gifts/:id'],
      ['GET', '/v1/gifts/:id/cards'],
      ['GET', '/v1/:kind/:id/:rest'],
      ['HEAD', '/v1/bowls'],
      ['GET', '/v1/bowls'],
      ['ALL', '/v1/gifts'],
      ['ALL', '/v1/{*path}'],
      ['ALL', '/{*path}'],
    ),
  ).not.toThrow();
});
