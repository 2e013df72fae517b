import fc from 'fast-check';
import { returnPath, signInPath } from './return-path';

const AREA = /^\/(settings|account|invitations|oauth\/authorize)(?=[/?]|$)/;
const ORIGIN = 'https://gala.test';

/** Resolves a Location header as browsers do, with and without a proxy's path prefix. */
function destinations(path: string): URL[] {
  return [new URL(path, `${ORIGIN}/sign-in`), new URL(`/prefix${path}`, `${ORIGIN}/prefix/sign-in`)];
}

/** Texts that resemble addresses of other sites. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '//', '\\', '..', '.', '%2e', '%2F', '%5c', '%00', '@', ':', '?', '#', '\t', '\n'),
      fc.constantFrom('settings', 'account', 'invitations', 'oauth/authorize', 'evil.test', 'https:', 'v1'),
      fc.string({ maxLength: 3, unit: 'binary' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(
  tricky,
  fc.tuple(fc.constantFrom('/settings', '/account', '/invitations/'), tricky).map((parts) => parts.join('')),
  fc.webUrl(),
);

test('whatever the address says, it leads to a page of ours', () => {
  fc.assert(
    fc.property(text, (typed) => {
      const path = returnPath(typed);
      expect(path).toMatch(AREA);
      for (const url of destinations(path)) {
        expect(url.origin).toBe(ORIGIN);
        expect(url.pathname.replace(/^\/prefix/, '')).toMatch(AREA);
      }
    }),
    { numRuns: 5000 },
  );
});

test.each([
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '\\/evil.test',
  'https://evil.test/settings',
  'javascript:alert(1)',
  '/settings/../..//evil.test',
  '/settings/..//evil.test',
  '/settings/%2e%2e//evil.test',
  '/settings/%2E%2E/%2e%2e//evil.test/settings',
  '/settings\\..\\..\\evil.test',
  '/settings/\t/../..//evil.test',
  '/settingsevil',
  '/account/../v1/leads',
  '/sign-out',
  '',
])('%p leads to the start', (typed) => expect(returnPath(typed)).toBe('/settings'));

test.each([
  ['/settings/ws_x/live/api-keys?cursor=a%2Fb', '/settings/ws_x/live/api-keys?cursor=a%2Fb'],
  ['/account?x#top', '/account?x'],
  ['/settings/a/../b', '/settings/b'],
  ['/oauth/authorize?client_id=x&scope=a+b', '/oauth/authorize?client_id=x&scope=a+b'],
])('%s leads to %s', (typed, path) => expect(returnPath(typed)).toBe(path));

test('who has to sign in comes back to the page they asked for, and never to a form', () => {
  const page = '/settings/ws_x/members?notice=a&b=%20';
  expect(signInPath({ method: 'GET', originalUrl: page })).toBe(
    `/sign-in?return=${encodeURIComponent(page)}`,
  );
  expect(signInPath({ method: 'HEAD', originalUrl: '/account' })).toBe('/sign-in?return=%2Faccount');
  for (const originalUrl of ['/settings', '/', '/v1/leads', '//evil.test'])
    expect(signInPath({ method: 'GET', originalUrl })).toBe('/sign-in');
  expect(signInPath({ method: 'POST', originalUrl: '/account/password' })).toBe('/sign-in');
});
