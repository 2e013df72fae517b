import { Mailer } from '../../src/kernel/mailer';
import { expectRefusal } from '../support/expect-refusal';
import { Mailbox } from '../support/mailbox';
import type { Answer } from '../support/http-client';
import { encodeForm, outcome, PageClient } from '../support/page-client';
import { browserOf, newEmail, someone, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { PAGE_ROUTES } from './page-routes';

let gala: TestGala;
let browser: PageClient;
let csrfToken: string;
let area: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Mailer, useValue: new Mailbox() }] });
  const { email } = await someone(gala);
  area = `/settings/${await workspaceOf(gala, email)}`;
  browser = await browserOf(gala, email);
  csrfToken = await browser.csrfToken('/account');
});
afterAll(() => gala.stop());

const anyone = () => new PageClient(gala.baseUrl);

/** Whatever was asked: a page for people or the way to one, and nothing that went wrong inside. */
function expectPage({ status, headers, text }: Answer): void {
  expect(status).not.toBe(500);
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-request-id': expect.any(String),
  });
  if (status === 303) return;
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).toMatch(/^<!doctype html><html lang="en"/);
  expect(text).not.toMatch(/<script(?! src=)|<style|\son\w+=|style=|"requestId"/);
}

/** Every form, with ids of the right kind that nothing has. */
const forms = () =>
  Object.keys(PAGE_ROUTES)
    .filter((route) => route.startsWith('POST') && !/sign-out/.test(route))
    .map((route) =>
      route
        .replace('POST ', '')
        .replace('/settings/:workspace', area)
        .replace(':mode', 'test')
        .replace(
          /:(\w+)/g,
          (_, name: string) =>
            `${{ key: 'key', user: 'user', invitation: 'inv' }[name] ?? 'x'}_00000000000000000000000000`,
        ),
    );

describe('every page', () => {
  test('is a page with the headers that keep others out, errors too', async () => {
    const paths = ['/', '/settings', '/sign-in', '/password-reset', '/account', '/account/two-factor', area];
    const errors = [
      `${area}/members?cursor=nope`,
      `${area}/test/api-keys?cursor=nope`,
      '/settings/ws_nope',
      `${area}/nope/api-keys`,
      '/invitations/nope',
      `${area}/test/api-keys/key_nope`,
    ];
    for (const path of [...paths, ...errors]) expectPage(await browser.get(path));
    for (const path of paths) expectPage(await anyone().get(path));
  });

  test('answers HEAD as GET, without the page', async () => {
    for (const path of ['/sign-in', '/account', area, '/settings/ws_nope', '/']) {
      const [head, get] = [await browser.request('HEAD', path), await browser.get(path)];
      expect([outcome(head), head.text]).toEqual([outcome(get), '']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });

  test('doesn’t mind parameters that it doesn’t know, nor names that every object has', async () => {
    const query =
      '?utm_source=mail&a&a=1&__proto__=x&constructor=y&toString=z&notice=nonsense&notice=removed%00';
    for (const path of [
      '/sign-in',
      '/password-reset',
      '/account',
      area,
      `${area}/members`,
      `${area}/audit-log`,
    ]) {
      const client = path.startsWith('/sign-in') ? anyone() : browser;
      expect({ path, status: (await client.get(path + query)).status }).toEqual({ path, status: 200 });
    }
  });

  test.each(['?x=%FF', '?x=%', `?${'a=1&'.repeat(101)}`])(
    'says on a page what is wrong with %.12s',
    async (query) => {
      const answer = await browser.get(`/account${query}`);
      expectPage(answer);
      expect(answer.status).toBe(400);
    },
  );

  test('shows what people typed as text', async () => {
    const typed = `"><script>alert(1)</script>'&amp;`;
    const answer = await browser.submit(`${area}/workspace`, { name: '', timeZone: typed, currency: typed });
    expectPage(answer);
    const signIn = await anyone().submit('/sign-in', { email: typed, return: typed, password: 'x' });
    expectPage(signIn);
    expect(signIn.text).toContain('&lt;script');
  });
});

describe('every form', () => {
  const send = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    for (const path of forms()) {
      const answer = await browser.request('POST', path, body, { headers });
      expectPage(answer);
      expect({ path, isServerError: answer.status >= 500 }).toEqual({ path, isServerError: false });
    }
  };
  const refused = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    for (const path of forms()) {
      const answer = await browser.request('POST', path, body, { headers });
      expectPage(answer);
      expect({ path, status: answer.status }).toEqual({ path, status: 400 });
    }
  };

  test.each([
    ['JSON', '{"csrfToken":"x"}', { 'Content-Type': 'application/json' }],
    ['several parts', '--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['plain text', 'csrfToken=x', { 'Content-Type': 'text/plain' }],
    ['no type', 'csrfToken=x', { 'Content-Type': '' }],
    [
      'another charset',
      'csrfToken=x',
      { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
    ],
    ['compressed', 'csrfToken=x', { 'Content-Encoding': 'gzip' }],
    ['bytes that are no UTF-8', 'csrfToken=%FF%FE', {}],
    ['a broken escape', 'csrfToken=%4', {}],
    ['too many fields', 'a=1&'.repeat(801), {}],
    ['a huge body', `name=${'x'.repeat(300_000)}`, {}],
  ])('is refused on a page when it comes as %s', (_, body, headers) => refused(body, headers));

  const names = [
    'name',
    'email',
    'password',
    'current',
    'next',
    'code',
    'role',
    'grace',
    'lifetime',
    'scopes',
    'timeZone',
    'currency',
    'descendants',
    'return',
  ];
  test.each([
    ['NUL', 'a\0b'],
    ['nothing', ''],
    ['a very long text', 'x'.repeat(10_000)],
    ['control characters', '\u0001\u001b[31m\r\n\u2028'],
    ['characters beyond the BMP', '😀'.repeat(60)],
    ['a name that every object has', '__proto__'],
  ])('with %s in each field goes wrong nowhere inside', (_, value) =>
    send(encodeForm({ csrfToken, ...Object.fromEntries(names.map((name) => [name, value])) })),
  );

  test('with fields that come twice, or that it doesn’t know, goes wrong nowhere inside', async () => {
    const twice = Object.fromEntries(names.map((name) => [name, ['a', 'b']]));
    await send(encodeForm({ csrfToken, ...twice, constructor: 'x', __proto__: 'y', '': 'z' }));
  });

  test('with bytes that are no ASCII at all takes them for characters, and goes wrong nowhere inside', () =>
    send(Buffer.concat([Buffer.from(`csrfToken=${csrfToken}&name=`), Buffer.from([0xff, 0xfe, 0x80])])));
});

test('a cookie that isn’t ours, or is no cookie at all, is that of nobody', async () => {
  for (const Cookie of [
    'gala=short',
    `gala=${'é'.repeat(20)}`,
    'gala',
    '=;;=',
    `gala="${'A'.repeat(43)}"`,
    'gala=%00',
    `x=${'y'.repeat(4000)}`,
  ]) {
    const visitor = anyone();
    const answer = await visitor.get('/account', { headers: { Cookie } });
    expect(outcome(answer)).toBe('303 /sign-in?return=%2Faccount');
    expectPage(await visitor.get('/sign-in', { headers: { Cookie } }));
  }
});

test('a path in which nothing can be is a page too, and not one that fails', async () => {
  for (const id of ['%00', '%FF', '..%2F..', "'", newEmail(), 'x'.repeat(2000)]) {
    for (const path of [
      `/settings/${id}`,
      `${area}/test/api-keys/${id}`,
      `${area}/members/${id}/remove`,
      `${area}/${id}/api-keys`,
    ]) {
      const answer = await browser.get(path);
      expectPage(answer);
      expect(answer.status).toBe(404);
    }
  }
});

test('browsers get a page for an unknown address, programs the envelope', async () => {
  const headers = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  for (const path of ['/setings', '/settings/', '/a/b?c=d']) {
    const answer = await anyone().get(path, { headers });
    expectPage(answer);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('Page not found');
    for (const Accept of ['*/*', 'application/json', undefined]) {
      expectRefusal(await gala.anonymous.get(path, { headers: { Accept } }), 404, { counted: false });
    }
  }
  expectRefusal(await gala.anonymous.get('/oauth/nowhere', { headers }), 404);
});
