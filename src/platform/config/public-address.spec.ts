import { loadConfiguration } from './load-configuration';
import { addressOf, basePathOf, routeOf } from './public-address';

test.each([
  ['https://gala.test', 'https://gala.test/docs', ''],
  ['https://gala.test/', 'https://gala.test/docs', ''],
  ['https://gala.test:8443/gala', 'https://gala.test:8443/gala/docs', '/gala'],
  ['https://gala.test/a/b/', 'https://gala.test/a/b/docs', '/a/b'],
])('%s is the prefix of every URL', (publicUrl, docs, basePath) => {
  expect(addressOf(new URL(publicUrl), '/docs')).toBe(docs);
  expect(addressOf(new URL(publicUrl))).toBe(docs.replace('/docs', ''));
  expect(basePathOf(new URL(publicUrl))).toBe(basePath);
});

test.each([
  ['/gala', '/'],
  ['/gala?x=1', '/?x=1'],
  ['/gala/', '/'],
  ['/gala/v1/leads?q=/gala', '/v1/leads?q=/gala'],
  ['/v1/leads', '/v1/leads'],
  ['/galaxy', '/galaxy'],
  ['/Gala/v1', '/Gala/v1'],
  ['//evil.test/gala', '//evil.test/gala'],
  ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
  ['/.well-known/oauth-authorization-server/gala', '/.well-known/oauth-authorization-server'],
  ['/.well-known/oauth-authorization-server/gala?x', '/.well-known/oauth-authorization-server?x'],
  ['/gala/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server'],
  ['/.well-known/oauth-authorization-server/other', '/.well-known/oauth-authorization-server/other'],
])('with the path /gala, %s is a request for %s', (target, route) => {
  expect(routeOf(new URL('https://gala.test/gala'), target)).toBe(route);
});

test('without a path nothing is removed', () => {
  for (const target of ['/', '/v1/leads', '/.well-known/x/gala', '*', '']) {
    expect(routeOf(new URL('https://gala.test'), target)).toBe(target);
  }
});

test.each([
  ['https://gala.test/v1', 'must not have a path that begins with /v1'],
  ['https://gala.test/docs/gala', 'must not have a path that begins with /docs'],
  ['https://ana:hush@gala.test', 'must not contain a user name'],
  ['https://gala.test?x=1', 'must not contain a user name, password, query'],
  ['https://gala.test/gala#top', 'or fragment'],
])('PUBLIC_URL can’t be %s', (PUBLIC_URL, problem) => {
  expect(() => loadConfiguration({ PUBLIC_URL })).toThrow(problem);
});

test.each(['https://gala.test/v1x', 'https://gala.test/gala/v1'])('PUBLIC_URL can be %s', (PUBLIC_URL) => {
  expect(loadConfiguration({ PUBLIC_URL }).publicUrl.href).toBe(PUBLIC_URL);
});
