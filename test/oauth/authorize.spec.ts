import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Answer } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { CALLBACK, newApp, offered, returned, type TestApp } from './support';

const ISSUER = 'http://localhost:3000';
let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
  app = await newApp(gala);
});
afterAll(() => gala.stop());

/** A page for the person, and nothing for whoever waits at the address. */
function expectPageAlone(answer: Answer): void {
  expect(answer.status).toBe(400);
  expect(answer.headers).not.toHaveProperty('location');
  expect(answer.headers['content-type']).toMatch(/^text\/html/);
  expect(answer.text).toContain('This app link doesn’t work');
}

async function errorOf(path: string): Promise<Record<string, string>> {
  const { to, parameters } = offered(await app.owner.browser.get(path));
  expect(to).toBe(CALLBACK);
  expect(parameters).not.toHaveProperty('code');
  return parameters;
}

describe('who asks isn’t certain: the person alone is told', () => {
  test.each([
    ['no client_id', () => app.path({ client_id: undefined })],
    ['an unknown client_id', () => app.path({ client_id: 'app_01h455vb4pex5vsknk084sn02q' })],
    ['a client_id of another kind', () => app.path({ client_id: 'ws_01h455vb4pex5vsknk084sn02q' })],
    ['two client_ids', () => app.path({ client_id: [app.id, app.id] })],
    ['no redirect_uri', () => app.path({ redirect_uri: undefined })],
    ['an empty redirect_uri', () => app.path({ redirect_uri: '' })],
    ['two redirect_uris', () => app.path({ redirect_uri: [CALLBACK, CALLBACK] })],
    ['two redirect_uris, one evil', () => app.path({ redirect_uri: [CALLBACK, 'https://evil.test/'] })],
    ['a redirect_uri of another app', () => app.path({ redirect_uri: 'https://other.example.com/callback' })],
    ['nothing at all', () => '/oauth/authorize'],
  ])('%s', async (_, path) => {
    expectPageAlone(await app.owner.browser.get(path()));
    expectPageAlone(await app.decide(path()));
  });

  test('also in the form, where anyone can write another address', async () => {
    const { browser, workspaceId } = app.owner;
    const fields = { workspace: workspaceId, mode: 'live', decision: 'allow' };
    for (const redirect_uri of [`${CALLBACK}2`, 'https://evil.test/', '']) {
      expectPageAlone(
        await browser.submit('/oauth/authorize', { ...fields, client_id: app.id, redirect_uri }),
      );
    }
  });

  const pieces = fc.constantFrom(
    ...['/', '?', '&', '#', '@', '\\', '%2f', '%00', '%', ':', '.', '..', '//', ' ', '\t', '\n', '\r', '\0'],
    ...[':443', ':8443', '.evil.test', '@evil.test', '?x=1', '#top', '/../callback', '/.', ';x', 'é', '*'],
  );
  const variants = fc.oneof(
    fc
      .tuple(fc.nat(CALLBACK.length), pieces)
      .map(([at, piece]) => CALLBACK.slice(0, at) + piece + CALLBACK.slice(at)),
    fc.nat(CALLBACK.length - 1).map((at) => CALLBACK.slice(0, at) + CALLBACK.slice(at + 1)),
    fc
      .nat(CALLBACK.length - 1)
      .map((at) => CALLBACK.slice(0, at) + CALLBACK.charAt(at).toUpperCase() + CALLBACK.slice(at + 1)),
    fc.nat(CALLBACK.length - 1).map((at) => {
      const code = CALLBACK.charCodeAt(at).toString(16);
      return `${CALLBACK.slice(0, at)}%${code}${CALLBACK.slice(at + 1)}`;
    }),
    fc.array(pieces, { maxLength: 4 }).map((list) => CALLBACK + list.join('')),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom(
      'https://evil.test@app.example.com/callback',
      'https://app.example.com:443/callback',
      'https://app.example.com./callback',
      'http://app.example.com/callback',
      'HTTPS://APP.EXAMPLE.COM/callback',
      '//app.example.com/callback',
      '/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'https:app.example.com/callback',
      'https:\\\\app.example.com\\callback',
    ),
  );

  test('however the registered address is written, nobody is sent anywhere but there', async () => {
    await fc.assert(
      fc.asyncProperty(variants, async (redirectUri) => {
        const answer = await app.owner.browser.get(app.path({ redirect_uri: redirectUri, scope: 'nope' }));
        if (redirectUri === CALLBACK) expect(offered(answer).to).toBe(CALLBACK);
        else expectPageAlone(answer);
      }),
      { numRuns: 150 },
    );
  });
});

test('each registered address works as it is written, with what it holds already', async () => {
  const redirectUris = [
    'https://a.example.com/cb?tenant=5&x=%20y',
    'https://a.example.com/cb?',
    'https://a.example.com',
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'com.example.app:/cb',
  ];
  const { id, owner } = await newApp(gala, { redirectUris });
  for (const redirectUri of redirectUris) {
    const query = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, scope: 'nope' });
    const { status, text } = await owner.browser.get(`/oauth/authorize?${query.toString()}`);
    expect(status).toBe(400);
    const glue = redirectUri.includes('?') ? '&amp;' : '?';
    const [, address = ''] = /<a class="button secondary" href="([^"]*)"/.exec(text)!;
    expect(address).toMatch(/&amp;iss=http%3A%2F%2Flocalhost%3A3000$/);
    expect(address.startsWith(`${redirectUri.replace('&', '&amp;')}${glue}error=invalid_scope&amp;`)).toBe(
      true,
    );
  }
});

test.each(['http://127.0.0.1/callback', 'http://[::1]:9/callback'])(
  'a native app that registered %s is answered on the port it chose, and redeems its code there alone',
  async (registered) => {
    const native = await newApp(gala, { redirectUris: [registered] });
    const redirect_uri = registered.replace(/(:9)?\/callback$/, ':53124/callback');
    const { to, parameters } = returned(await native.decide(native.path({ redirect_uri })));
    expect(to).toBe(redirect_uri);
    expect((await native.redeem(parameters.code!, { redirect_uri })).status).toBe(200);
    const other = await native.code({ redirect_uri });
    expect((await native.redeem(other)).body).toMatchObject({ error: 'invalid_grant' });
  },
);

describe('what is wrong with the rest is told to the app', () => {
  test.each([
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['several response types', { response_type: 'code token' }, 'unsupported_response_type'],
    ['an empty response_type', { response_type: '' }, 'unsupported_response_type'],
    ['two response types', { response_type: ['code', 'code'] }, 'invalid_request'],
    ['two scopes parameters', { scope: ['leads:read', 'leads:write'] }, 'invalid_request'],
    ['two challenges', { code_challenge: ['a', 'b'] }, 'invalid_request'],
    ['two challenge methods', { code_challenge_method: ['S256', 'S256'] }, 'invalid_request'],
    ['an unknown scope', { scope: 'leads:fly' }, 'invalid_scope'],
    ['a scope that the app hasn’t registered', { scope: 'leads:read messages:write' }, 'invalid_scope'],
    ['a scope in another case', { scope: 'Leads:read' }, 'invalid_scope'],
    ['scopes separated otherwise', { scope: 'leads:read,leads:write' }, 'invalid_scope'],
    ['a blank scope', { scope: '  ' }, 'invalid_scope'],
    ['a hundred kilobytes of it', { scope: 'x'.repeat(8000) }, 'invalid_scope'],
  ])('%s', async (_, parameters, error) => {
    const description = expect.stringMatching(/^[\x20-\x7e]+$/);
    expect(await errorOf(app.path({ ...parameters, state: 'abc' }))).toEqual({
      ...{ error, error_description: description },
      ...{ state: 'abc', iss: ISSUER },
    });
  });

  test('a state given twice isn’t given back: which one?', async () => {
    const answer = await errorOf(app.path({ state: ['a', 'b'] }));
    expect(answer).toMatchObject({ error: 'invalid_request' });
    expect(answer).not.toHaveProperty('state');
  });

  test('nobody is sent anywhere before they click, signed in or not', async () => {
    for (const fault of [{ scope: 'nope' }, { response_type: 'token' }, { code_challenge_method: 'S256' }]) {
      for (const browser of [gala.anonymous, app.owner.browser]) {
        const answer = await browser.get(app.path({ ...fault, state: 'abc' }));
        expect(answer.text).toContain('Seating Planner can’t be connected');
        expect(answer.text).toContain('Continue to app.example.com');
        const { to, parameters } = offered(answer);
        expect(to).toBe(CALLBACK);
        expect(parameters).toMatchObject({ state: 'abc', iss: ISSUER });
      }
    }
  });

  test('who has pressed a button is sent back at once', async () => {
    const { parameters } = returned(await app.decide(app.path({ state: 'abc' }), { decision: 'deny' }));
    expect(parameters).toMatchObject({ error: 'access_denied', state: 'abc', iss: ISSUER });
  });
});

describe('scopes', () => {
  const scopesFor = async (query: string) => {
    const answer = await app.decide(`${app.path()}&scope=${query}`);
    return (await app.redeem(returned(answer).parameters.code!)).body.scope;
  };
  test.each([
    'leads:read+leads:write',
    'leads:read%20leads:write',
    'leads%3Aread%2Bleads%3Awrite',
    '+leads:read++leads:write+',
  ])('are separated as in %s', async (query) => {
    expect(await scopesFor(query)).toBe('leads:read leads:write');
  });

  test('parameters that it doesn’t know change nothing', async () => {
    const answer = await app.decide(app.path({ prompt: 'login', nonce: 'x', resource: 'https://x.test' }));
    expect(returned(answer).parameters).toHaveProperty('code');
  });
});

describe('state', () => {
  const choices = ['allow', 'deny'];
  const special = [
    '',
    ' ',
    '+',
    '%',
    '%2B',
    '&a=b',
    '#',
    '"><img src=x>',
    "'",
    'é ü 漢字 😀',
    '\u2028',
    '../',
    '==',
  ];
  test.each(special)('%j comes back unchanged', async (state) => {
    for (const decision of choices) {
      const { parameters } = returned(await app.decide(app.path({ state }), { decision }));
      expect(parameters).toMatchObject({ state, iss: ISSUER });
    }
    expect(await errorOf(app.path({ state, scope: 'nope' }))).toMatchObject({ state, iss: ISSUER });
  });

  test.each(['a\0b', 'a\r\nb', '\t', '\x7f'])(
    '%j, which no form would carry unchanged, is refused',
    async (state) => {
      expect(await errorOf(app.path({ state }))).toMatchObject({ error: 'invalid_request', state });
    },
  );

  test('any text comes back unchanged, also on errors', async () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(texts, async (state) => {
        expect(await errorOf(app.path({ state, scope: 'nope' }))).toMatchObject({ state });
        const { parameters } = returned(await app.decide(app.path({ state }), { decision: 'deny' }));
        expect(parameters.state).toBe(state);
      }),
      { numRuns: 25 },
    );
  });

  test('without one none comes back', async () => {
    expect(returned(await app.decide(app.path())).parameters).toEqual({
      code: expect.stringMatching(/^gala_ac_[A-Za-z0-9_-]{43}$/),
      iss: ISSUER,
    });
  });
});
