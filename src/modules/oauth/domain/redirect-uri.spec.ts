import fc from 'fast-check';
import { isRegistered, redirectUriProblem, withParameters } from './redirect-uri';

describe('an address can be registered', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/cb?tenant=5',
    'https://xn--mnchen-3ya.de/',
    'http://localhost/cb',
    'http://localhost:8080/cb',
    'http://127.0.0.1:3000/cb',
    'http://[::1]:3000/cb',
    'com.example.app:/oauth',
    'com.example.app://oauth',
  ])('%s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });
});

describe('an address can’t be registered', () => {
  test.each([
    ['', 'absolute'],
    ['/callback', 'absolute'],
    ['//app.example.com/callback', 'absolute'],
    ['app.example.com', 'absolute'],
    ['http://app.example.com/cb', 'https://'],
    ['http://localhost.evil.test/cb', 'https://'],
    ['http://127.0.0.2/cb', 'https://'],
    ['https://app.example.com/cb#', 'fragment'],
    ['https://app.example.com/cb#top', 'fragment'],
    ['https://me@app.example.com/cb', 'user name'],
    ['https://me:pw@app.example.com/cb', 'user name'],
    ['https://APP.example.com/cb', 'written as https://app.example.com/cb'],
    ['https://app.example.com:443/cb', 'written as https://app.example.com/cb'],
    ['https://app.example.com/a/../cb', 'written as https://app.example.com/cb'],
    ['https:\\\\app.example.com\\cb', 'written as'],
    ['https://münchen.de/', 'written as https://xn--mnchen-3ya.de/'],
    [' https://app.example.com/cb', 'written as'],
    ['https://app.example.com/\ncb', 'written as'],
    ['javascript:alert(1)', 'a dot in it'],
    ['data:text/html,x', 'a dot in it'],
    ['file:///etc/passwd', 'a dot in it'],
    ['myapp:/cb', 'a dot in it'],
    [`https://app.example.com/${'x'.repeat(2000)}`, 'at most 2000'],
  ])('%j', (uri, problem) => {
    expect(redirectUriProblem(uri)).toContain(problem);
  });
});

describe('the port of a loopback IP address is free', () => {
  const registered = ['http://127.0.0.1/callback', 'http://[::1]:4000/cb?x=1', 'http://localhost:3000/cb'];

  test('whichever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(isRegistered(`http://127.0.0.1:${port}/callback`, registered)).toBe(true);
        expect(isRegistered(`http://[::1]:${port}/cb?x=1`, registered)).toBe(true);
      }),
    );
    expect(isRegistered('http://[::1]/cb?x=1', registered)).toBe(true);
    expect(isRegistered('http://127.0.0.1/callback', registered)).toBe(true);
  });

  test.each([
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:80a/callback',
    'http://127.0.0.1:5000/callback/',
    'http://127.0.0.1:5000/Callback',
    'http://127.0.0.1:5000/callback?x=1',
    'http://127.0.0.1:5000/callback#top',
    'http://127.0.0.1:5000\\@evil.test/callback',
    'http://127.0.0.1:5000@evil.test/callback',
    'http://127.0.0.1.evil.test:5000/callback',
    'http://127.0.0.2:5000/callback',
    'http://127.1:5000/callback',
    'http://[::1]:5000/callback',
    'http://[::ffff:127.0.0.1]:5000/callback',
    'https://127.0.0.1:5000/callback',
    'HTTP://127.0.0.1:5000/callback',
    'http://localhost:5000/cb',
    'http://localhost/cb',
  ])('and nothing else of it: %s', (uri) => {
    expect(isRegistered(uri, registered)).toBe(false);
  });

  test('an app on another host has no free port', () => {
    const remote = ['https://app.example.com/callback', 'com.example.app:/cb'];
    expect(isRegistered('https://app.example.com:8443/callback', remote)).toBe(false);
    expect(isRegistered('com.example.app:80/cb', remote)).toBe(false);
  });
});

test('parameters are added, and read again unchanged; what the address holds stays to the letter', () => {
  const addresses = fc.constantFrom(
    'https://a.test',
    'https://a.test/cb',
    'https://a.test/cb?x=%20&y=+',
    'com.a:/cb?',
  );
  const values = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(addresses, values, fc.option(values, { nil: undefined }), (address, code, state) => {
      const url = withParameters(address, { code, state });
      expect(url.startsWith(address)).toBe(true);
      const { searchParams, hash } = new URL(url);
      expect(hash).toBe('');
      expect(searchParams.getAll('code')).toEqual([code]);
      expect(searchParams.getAll('state')).toEqual(state === undefined ? [] : [state]);
    }),
  );
});
