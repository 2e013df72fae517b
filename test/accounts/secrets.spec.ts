import { join } from 'node:path';
import { Secret } from 'otpauth';
import { createEmptyDatabase } from '../support/empty-database';
import { freePort, type GalaProcess, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { PageClient } from '../support/page-client';
import { codeAt, signIn } from '../support/people';
import { compileService } from '../support/service-process';
import { SmtpReceiver } from '../support/smtp-receiver';
import { dumpTables } from '../support/table-dump';

jest.setTimeout(120_000);

const OWNER = 'owner@garden.test';
const GUEST = 'guest@garden.test';
const PASSWORDS = ['Distinctive-Owner-Phrase', 'Distinctive-Second-Phrase', 'Distinctive-Reset-Phrase'];
const [FIRST, SECOND, THIRD] = PASSWORDS as [string, string, string];
const GUEST_PASSWORD = 'Distinctive-Guest-Phrase';

const directory = new WorkingDirectory();
const compiled = compileService();
const receiver = new SmtpReceiver();
const secrets = new Map<string, string>();
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let service: GalaProcess;
let baseUrl: string;
let env: Record<string, string>;
beforeAll(async () => {
  [database] = await Promise.all([createEmptyDatabase(), receiver.start()]);
  const port = String(await freePort());
  baseUrl = `http://127.0.0.1:${port}`;
  const ENCRYPTION_KEY = 'c'.repeat(64);
  env = {
    PORT: port,
    DATABASE_URL: database.url,
    SMTP_URL: receiver.url,
    LOG_LEVEL: 'debug',
    ENCRYPTION_KEY,
  };
  service = await start(['serve'], env).isUp();
}, 120_000);
afterAll(async () => {
  await directory.clear();
  compiled.remove();
  await receiver.stop();
  await database.drop();
});

const start = (args: string[], variables: Record<string, string>): GalaProcess =>
  directory.spawn(process.execPath, [join(compiled.directory, 'src/cli/main.js'), ...args], {
    env: variables,
  });

async function command(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await start([...args, '--json'], env).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Notes a secret that mustn't be found later, and returns it. */
function note(name: string, secret: string): string {
  secrets.set(`${name} ${secrets.size}`, secret);
  return secret;
}
const noteCookies = (browser: PageClient) => browser.cookies.forEach((value, name) => note(name, value));
const shown = (text: string, name: string) =>
  new RegExp(`<code id="field-${name}"[^>]*>([^<]+)<`).exec(text)![1]!;
const lastToken = (link: string) => note('link', link.split('/').at(-1)!);
const mailedLink = async (recipient: string, path: RegExp) =>
  (await receiver.linkTo(recipient, path)).pathname;

/** Every flow that has a secret in it, a wrong turn in each. */
async function useEverything(): Promise<void> {
  for (const password of [...PASSWORDS, GUEST_PASSWORD, 'Distinctive-Wrong-Phrase'])
    note('password', password);
  const { id, ownerLink } = await command('workspace', 'create', '--name', 'Hall', '--owner-email', OWNER);
  lastToken(ownerLink);
  await new PageClient(baseUrl).submit(new URL(ownerLink).pathname, { password: FIRST });
  await signIn(baseUrl, OWNER, 'Distinctive-Wrong-Phrase').catch(() => undefined);
  const owner = await signIn(baseUrl, OWNER, FIRST);
  noteCookies(owner);

  const page = '/account/two-factor';
  const setUp = await owner.submit(`${page}/set-up`, { password: FIRST });
  const secret = note('TOTP secret', shown(setUp.text, 'secret').replaceAll(' ', ''));
  const codes = await owner.submit(page, { secret, code: codeAt(secret, new Date()) });
  const recoveryCodes = shown(codes.text, 'codes').split('\n');
  for (const code of recoveryCodes) note('recovery code', code);
  await owner.submit('/account/password', { current: FIRST, next: SECOND });
  const pending = await signIn(baseUrl, OWNER, SECOND);
  noteCookies(pending);
  await pending.submit('/sign-in/code', { code: 'distinctive0wrng' });
  await pending.submit('/sign-in/code', { code: recoveryCodes[0]! });
  noteCookies(pending);

  const keys = `/settings/${id}/live/api-keys`;
  const noteKey = (text: string) => note('API key', /gala_live_\w{38}/.exec(text)![0]);
  const key = noteKey(
    (await owner.submit(keys, { name: 'Key', scopes: ['leads:read', 'leads:write'] })).text,
  );
  const keyId = (await new Client(baseUrl, key).get('/v1/me')).body.credential.id as string;
  noteKey((await owner.submit(`${keys}/${keyId}/rotate`, { grace: '3600' })).text);
  await new Client(baseUrl, note('wrong key', `gala_live_${'Zq7'.repeat(13)}`)).get('/v1/leads');
  await owner.submit(`${keys}/${keyId}/revoke`);

  await owner.submit(`/settings/${id}/members/invitations`, { email: GUEST, role: 'admin' });
  const invitation = await mailedLink(GUEST, /^\/invitations\//);
  lastToken(invitation);
  const guest = new PageClient(baseUrl);
  await guest.get(invitation);
  await guest.submit(invitation, { password: 'short' });
  expect((await guest.submit(invitation, { password: GUEST_PASSWORD })).status).toBe(303);
  noteCookies(guest);

  await new PageClient(baseUrl).submit('/password-reset', { email: OWNER });
  const reset = await mailedLink(OWNER, /^\/password-reset\//);
  lastToken(reset);
  expect((await new PageClient(baseUrl).submit(reset, { password: THIRD })).status).toBe(303);
  lastToken((await command('user', 'reset-link', '--email', OWNER)).link as string);
  await guest.submit('/sign-out');
}

/** A secret in every way in which somebody may have written it down. */
function formsOf(secret: string): string[] {
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'base64url')];
  if (/^[A-Z2-7]{32}$/.test(secret)) bytes.push(Buffer.from(Secret.fromBase32(secret).bytes));
  const encoded = bytes.flatMap((each) => {
    const base64 = each.toString('base64').replace(/=+$/, '');
    return [base64, each.toString('base64url'), each.toString('hex'), each.toString('latin1')];
  });
  return [secret, secret.replaceAll('-', ''), encodeURIComponent(secret), ...encoded].filter(
    (form) => form.length >= 12,
  );
}

test('secrets are in no line of the log and in no row of the database, in whatever form', async () => {
  await useEverything();
  expect(secrets.size).toBeGreaterThan(25);
  // As the last: what it stored is looked through, too.
  const tables = await dumpTables(database.url);
  for (const table of [
    'users',
    'sessions',
    'api_keys',
    'recovery_codes',
    'invitations',
    'audit_log',
    'password_resets',
  ])
    expect([...tables.keys()]).toContain(table);
  const finished = await service.stop();
  const places = new Map<string, string>([['the log', finished.stdout + finished.stderr]]);
  expect(finished.stdout.split('\n').length).toBeGreaterThan(30);
  for (const [name, rows] of tables) {
    const decoded = [...rows.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) =>
      Buffer.from(hex!, 'hex').toString('latin1'),
    );
    places.set(name, [rows, ...decoded].join('\n'));
  }
  const found = [...secrets].flatMap(([name, secret]) =>
    [...places]
      .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([place]) => `${name} in ${place}`),
  );
  expect(found).toEqual([]);
});

test('a service with another key doesn’t start, and says what to do; people are helped on the command line', async () => {
  const wrong = { ...env, ENCRYPTION_KEY: 'd'.repeat(64) };
  const { code, stderr } = await start(['serve'], wrong).finished;
  expect(code).toBe(1);
  expect(stderr).toContain('Set the same ENCRYPTION_KEY on every instance');
  expect(stderr).not.toMatch(/[cd]{64}/);

  expect(await command('user', 'reset-two-factor', '--email', OWNER.toUpperCase())).toEqual({
    email: OWNER.toUpperCase(),
  });
  service = await start(['serve'], env).isUp();
  const browser = await signIn(baseUrl, OWNER, THIRD);
  expect((await browser.get('/account')).status).toBe(200);
  for (const name of ['reset-link', 'reset-two-factor']) {
    const unknown = await start(['user', name, '--email', 'nobody@garden.test'], env).finished;
    expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: 'No such user.\n' });
  }
});
