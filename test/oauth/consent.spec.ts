import { newId } from '../../src/kernel/ids';
import { expectRateHeaders } from '../support/expect-refusal';
import { type Fields, outcome, PageClient } from '../support/page-client';
import { browserOf, newEmail, signIn, someone, workspaceOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { memberOfWorkspace } from './members';
import { CALLBACK, hiddenFields, newApp, returned, type TestApp } from './support';

let gala: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala();
  app = await newApp(gala);
});
afterAll(() => gala.stop());

const codes = async () => (await sql(gala.databaseUrl, 'SELECT FROM oauth_codes')).length;

async function formOf(browser = app.owner.browser, path = app.path({ state: 's' })): Promise<Fields> {
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  return { ...hiddenFields(text), workspace: app.owner.workspaceId, mode: 'live', decision: 'allow' };
}

async function expectNoCode(work: () => Promise<void>): Promise<void> {
  const before = await codes();
  await work();
  expect(await codes()).toBe(before);
}

describe('the page', () => {
  test('can’t be framed, kept, or led on to anywhere but the app', async () => {
    const { headers } = await app.owner.browser.get(app.path());
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    const policy = (headers['content-security-policy'] as string).split('; ');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https:");
    expect(policy).toContain("default-src 'none'");
  });

  test.each([
    ['http://localhost:8080/cb', 'http: https:'],
    ['com.example.app:/cb', 'com.example.app: https:'],
    ['https://app.example.com:8443/cb?x=1', 'https:'],
  ])('allows its form to lead to %s', async (redirectUri, source) => {
    const { owner, ...other } = await newApp(gala, { redirectUris: [redirectUri] });
    const query = new URLSearchParams({ client_id: other.id, redirect_uri: redirectUri });
    const { headers } = await owner.browser.get(`/oauth/authorize?${query.toString()}`);
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${source};`);
  });

  test('names the app, the workspace, and each scope in words; markup in a name is text', async () => {
    const name = `<img src=x onerror=1> & "Söhne"`;
    const odd = await newApp(gala, { name, scopes: ['leads:read', 'messages:write'] });
    const { text } = await odd.owner.browser.get(odd.path({ state: '"><script>alert(1)</script>' }));
    expect(text).not.toMatch(/<img src=x|<script>alert/);
    expect(text).toContain('&lt;img src=x onerror=1> &amp; ');
    for (const words of [
      'leads:read',
      'messages:write',
      'Garden Events',
      odd.owner.email,
      'app.example.com',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('sends those who aren’t signed in to do so, and back to the very same request', async () => {
    const { email } = await someone(gala);
    const path = app.path({ state: 'a b+%', scope: 'leads:read' });
    const { status, headers } = await gala.anonymous.get(path);
    expect(status).toBe(303);
    const location = new URL(headers.location!, gala.baseUrl);
    expect(location.pathname).toBe('/sign-in');
    expect(location.searchParams.get('return')).toBe(path);
    const browser = await signIn(gala.baseUrl, email);
    expect((await browser.get(path)).status).toBe(200);
  });

  test('keeps its cookie from scripts and other sites', async () => {
    const { headers } = await new PageClient(gala.baseUrl).get('/sign-in');
    for (const cookie of headers['set-cookie']!) expect(cookie).toMatch(/HttpOnly.*SameSite=Lax/i);
  });

  test('is shown again when the choice is missing or nonsense', () =>
    expectNoCode(async () => {
      const form = await formOf();
      for (const wrong of [{ mode: 'prod' }, { mode: '' }, { workspace: '' }] as Fields[]) {
        const answer = await app.owner.browser.post('/oauth/authorize', { ...form, ...wrong });
        expect({ wrong, outcome: outcome(answer) }).toEqual({ wrong, outcome: '422' });
        expect(answer.headers['content-security-policy']).toContain("form-action 'self' https:");
      }
    }));
});

describe('the answer', () => {
  test('goes back with 303, so that no browser sends the form on', async () => {
    const answer = await app.owner.browser.post('/oauth/authorize', await formOf());
    expect(answer.status).toBe(303);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    expect(answer.text).toBe('');
  });

  test('of a person who refuses is access_denied, with state and iss; nothing is installed', () =>
    expectNoCode(async () => {
      const fresh = await newApp(gala);
      const answer = await fresh.decide(fresh.path({ state: 's' }), { decision: 'deny' });
      expect(returned(answer)).toEqual({
        to: CALLBACK,
        parameters: {
          ...{ error: 'access_denied', error_description: expect.any(String) },
          ...{ state: 's', iss: 'http://localhost:3000' },
        },
      });
      const installed = await sql(
        gala.databaseUrl,
        'SELECT FROM oauth_installations i JOIN oauth_apps a ON a.id = i.app_id WHERE a.created_at = (SELECT max(created_at) FROM oauth_apps)',
      );
      expect(installed).toEqual([]);
    }));

  test.each(['', 'ALLOW', 'yes'])('is never yes by mistake: decision=%s', async (decision) => {
    const { parameters } = returned(await app.decide(app.path(), { decision }));
    expect(parameters.error).toBe('access_denied');
  });
});

test('every answer shows the rate of the address that asks', async () => {
  const { browser } = app.owner;
  const answers = [
    await browser.get(app.path()),
    await browser.get('/oauth/authorize'),
    await browser.get(app.path({ scope: 'nope' })),
    await gala.anonymous.get(app.path()),
    await browser.post('/oauth/authorize', {}),
    await browser.post('/oauth/authorize', await formOf()),
    await browser.get('/oauth/authorize?state=%FF'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 303, 403, 303, 400]);
  answers.forEach(expectRateHeaders);
});

describe('nobody else presses the button', () => {
  test('not without the token, with another session’s, or from another site', () =>
    expectNoCode(async () => {
      const { browser } = app.owner;
      const { csrfToken, ...form } = await formOf();
      const other = await browserOf(gala, app.owner.email);
      const tries: [Fields, Record<string, string>][] = [
        [form, {}],
        [{ ...form, csrfToken: '' }, {}],
        [{ ...form, csrfToken: [csrfToken as string, csrfToken as string] }, {}],
        [{ ...form, csrfToken: await other.csrfToken() }, {}],
        [{ ...form, csrfToken: csrfToken! }, { Origin: 'https://evil.test' }],
        [{ ...form, csrfToken: csrfToken! }, { Origin: 'https://app.example.com' }],
        [{ ...form, csrfToken: csrfToken! }, { Origin: 'null' }],
      ];
      for (const [fields, headers] of tries) {
        expect(outcome(await browser.post('/oauth/authorize', fields, { headers }))).toBe('403');
      }
    }));

  test('nor is a GET taken for it, nor somebody who has signed out', () =>
    expectNoCode(async () => {
      const form = await formOf();
      const query = new URLSearchParams(form as Record<string, string>).toString();
      expect((await app.owner.browser.get(`/oauth/authorize?${query}`)).status).toBe(200);
      const leaving = await browserOf(gala, app.owner.email);
      const theirs = await formOf(leaving);
      await leaving.submit('/sign-out');
      expect((await leaving.post('/oauth/authorize', theirs)).status).toBe(403);
      const fresh = { ...theirs, csrfToken: await leaving.csrfToken() };
      expect(outcome(await leaving.post('/oauth/authorize', fresh))).toBe('303 /sign-in');
    }));
});

describe('only owners and admins let apps in', () => {
  const allowAs = async (email: string, workspace: string) => {
    const browser = await browserOf(gala, email);
    const form = { ...(await formOf(browser)), workspace };
    return browser.post('/oauth/authorize', form);
  };

  test('a member has no workspace to choose, and may only refuse; a forged form is 403', () =>
    expectNoCode(async () => {
      const email = newEmail();
      await memberOfWorkspace(gala, app.owner, email, 'member');
      const { text } = await (await browserOf(gala, email)).get(app.path());
      expect(text).toContain('You can’t install apps yet');
      expect(text).not.toContain('value="allow"');
      expect(text).not.toContain(app.owner.workspaceId);
      expect(outcome(await allowAs(email, app.owner.workspaceId))).toBe('403');
      const denied = await app.decide(app.path(), { decision: 'deny' }, await browserOf(gala, email));
      expect(returned(denied).parameters.error).toBe('access_denied');
    }));

  test('an admin may', async () => {
    const email = newEmail();
    await memberOfWorkspace(gala, app.owner, email, 'admin');
    expect(returned(await allowAs(email, app.owner.workspaceId)).parameters).toHaveProperty('code');
  });

  test('another’s workspace is, to them, one that doesn’t exist', () =>
    expectNoCode(async () => {
      const email = newEmail();
      const own = await workspaceOf(gala, email);
      const { text } = await (await browserOf(gala, email)).get(app.path());
      expect(text).toContain(own);
      expect(text).not.toContain(app.owner.workspaceId);
      const [theirs, nobodys] = [
        await allowAs(email, app.owner.workspaceId),
        await allowAs(email, newId('ws')),
      ];
      expect([outcome(theirs), outcome(nobodys)]).toEqual(['404', '404']);
      expect(theirs.text).toBe(nobodys.text);
      expect(outcome(await allowAs(email, 'x'))).toBe('404');
    }));
});

test('what the form brings along is looked at anew', () =>
  expectNoCode(async () => {
    const form = await formOf();
    const wider = await app.owner.browser.post('/oauth/authorize', { ...form, scope: 'messages:write' });
    expect(returned(wider).parameters.error).toBe('invalid_scope');
    const plain = { ...form, code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' };
    const refused = await app.owner.browser.post('/oauth/authorize', plain);
    expect(returned(refused).parameters.error).toBe('invalid_request');
  }));
