import { Mailer } from '../../src/kernel/mailer';
import { Mailbox } from '../support/mailbox';
import { outcome, PageClient } from '../support/page-client';
import { isSignedIn, newEmail, PASSWORD, someone, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const overHttps = { 'X-Forwarded-Proto': 'https' };

interface Place {
  publicUrl: string;
  prefix: string;
  cookie: string;
  /** What its name ends with. */
  port?: string;
  attributes: string;
}

const PLACES: Place[] = [
  { publicUrl: 'http://localhost:3000', prefix: '', cookie: 'gala', attributes: 'Path=/' },
  { publicUrl: 'https://gala.test', prefix: '', cookie: '__Host-gala', attributes: 'Path=/; Secure' },
  { publicUrl: 'https://apps.test/gala', prefix: '/gala', cookie: 'gala', attributes: 'Path=/gala; Secure' },
  { publicUrl: 'http://localhost:3000/gala/', prefix: '/gala', cookie: 'gala', attributes: 'Path=/gala' },
  { publicUrl: 'http://localhost:3001', prefix: '', cookie: 'gala', port: '-3001', attributes: 'Path=/' },
  { publicUrl: 'http://localhost', prefix: '', cookie: 'gala', port: '-80', attributes: 'Path=/' },
  {
    publicUrl: 'https://gala.test:3000',
    prefix: '',
    cookie: '__Host-gala',
    port: '-3000',
    attributes: 'Path=/; Secure',
  },
];

describe.each(PLACES)('reached at $publicUrl', ({ publicUrl, prefix, cookie, port = '', attributes }) => {
  const mailbox = new Mailbox();
  const origin = new URL(publicUrl).origin;
  const isHttps = publicUrl.startsWith('https:');
  const otherPort = `${new URL(publicUrl).protocol}//${new URL(publicUrl).hostname}:8443`;
  const address = publicUrl.replace(/\/$/, '');
  let gala: TestGala;
  let email: string;
  beforeAll(async () => {
    gala = await startGala({
      configuration: { publicUrl: new URL(publicUrl), trustedProxies: ['loopback'] },
      overrides: [{ provide: Mailer, useValue: mailbox }],
    });
    ({ email } = await someone(gala));
  });
  afterAll(() => gala.stop());

  /** As a proxy passes requests on: over plain HTTP, without the prefix. */
  const visit = () => new PageClient(gala.baseUrl, isHttps ? overHttps : {});
  const attributesOf = (line: string) => {
    const parts = line.split('; ').slice(1);
    return parts.filter(
      (part) => !part.startsWith('Max-Age') && part !== 'HttpOnly' && part !== 'SameSite=Lax',
    );
  };

  test('cookies are kept from scripts, other sites and other hosts', async () => {
    const browser = visit();
    const shown = (await browser.get('/sign-in')).headers['set-cookie']!;
    const signedIn = (await browser.submit('/sign-in', { email, password: PASSWORD })).headers['set-cookie']!;
    expect(shown).toHaveLength(1);
    expect(signedIn.map((line) => line.split('=')[0])).toEqual([
      `${cookie}${port}`,
      `${cookie}-known${port}`,
    ]);
    for (const line of [...shown, ...signedIn]) {
      expect(line).toMatch(/; HttpOnly(;|$)/);
      expect(line).toMatch(/; SameSite=Lax(;|$)/);
      expect(line).not.toMatch(/Domain/i);
      expect(attributesOf(line).sort()).toEqual(attributes.split('; ').sort());
    }
    expect(shown[0]).not.toContain('Max-Age');
    expect(signedIn[0]).toContain('; Max-Age=2592000;');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('every link, form, script and redirect stays under it', async () => {
    const browser = visit();
    expect(outcome(await browser.get('/account'))).toBe(`303 ${prefix}/sign-in?return=%2Faccount`);
    const fields = { email, password: PASSWORD, return: '/account' };
    expect(outcome(await browser.submit('/sign-in', fields))).toBe(`303 ${prefix}/account`);
    const workspace = await workspaceOf(gala, email);
    const paths = [
      '/account',
      '/account/two-factor',
      `/settings/${workspace}`,
      `/settings/${workspace}/members`,
    ];
    for (const path of paths) {
      const { text } = await browser.get(path);
      const addresses = [...text.matchAll(/ (?:href|src|action)="([^"#]*)"/g)].map(([, address]) => address!);
      expect(addresses.length).toBeGreaterThan(5);
      for (const address of addresses) expect(address).toMatch(new RegExp(`^${prefix}/(?!/)`));
    }
    expect((await visit().get(`/password-reset`)).text).toContain(`action="${prefix}/password-reset"`);
  });

  test('links in mails name it', async () => {
    await visit().submit('/password-reset', { email });
    expect(mailbox.to(email).at(-1)!.text).toContain(`\n${address}/password-reset/`);
    const invited = newEmail();
    const workspace = await workspaceOf(gala, email);
    const browser = visit();
    await browser.submit('/sign-in', { email, password: PASSWORD });
    await browser.submit(`/settings/${workspace}/members/invitations`, { email: invited, role: 'member' });
    expect(mailbox.to(invited)[0]!.text).toContain(`\n${address}/invitations/`);
  });

  test('forms are taken from it and from the name that the browser used, from no other origin', async () => {
    const send = async (headers: Record<string, string>) =>
      (await visit().submit('/password-reset', { email: newEmail() }, { headers })).status;
    expect(await send({ Origin: origin })).toBe(200);
    expect(await send({ Origin: 'http://10.0.0.5:3000', Host: '10.0.0.5:3000' })).toBe(200);
    for (const other of [`${origin}.evil.test`, otherPort, 'null', 'https://evil.test', 'file://'])
      expect({ other, status: await send({ Origin: other }) }).toEqual({ other, status: 403 });
  });

  test('pages over HTTPS ask to be asked for over HTTPS alone', async () => {
    const { headers } = await visit().get('/sign-in');
    expect(headers['strict-transport-security']).toBe(isHttps ? 'max-age=31536000' : undefined);
    if (!isHttps) return;
    const plain = new PageClient(gala.baseUrl);
    expect(outcome(await plain.get('/sign-in'))).toBe(`301 ${address}/sign-in`);
    expect(plain.cookies.size).toBe(0);
  });
});
