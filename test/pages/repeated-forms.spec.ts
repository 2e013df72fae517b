import { toUuid } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import { InviteMember } from '../../src/modules/workspaces';
import { draft, pathOf, send, typesOf, visitor } from '../proposals/support';
import { makeKey } from '../support/api-keys';
import { Client } from '../support/http-client';
import { Mailbox } from '../support/mailbox';
import { type Fields, outcome, PageClient } from '../support/page-client';
import {
  browserOf,
  codeAt,
  isSignedIn,
  newEmail,
  PASSWORD,
  signIn,
  someone,
  turnOnSecondFactor,
} from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';

const OWNER = 'owner@example.com';
const mailbox = new Mailbox();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Mailer, useValue: mailbox }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

/** The tokens of the form of the page that is sent to that path. */
async function tokensOf(browser: PageClient, page: string, action: string): Promise<Fields> {
  const { text } = await browser.get(page);
  const form = [...text.matchAll(/<form .*?<\/form>/gs)]
    .map(([html]) => html)
    .find((html) => html.includes(`action="${action}"`) || html.includes(`action="${action}#`));
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form!)![1]!;
  return { csrfToken: hidden('csrfToken'), submission: hidden('submission') };
}

/** Twice at once and once more, each time with the cookies that the browser had at first. */
async function sendThrice(browser: PageClient, action: string, fields: Fields) {
  const browsers = [1, 2, 3].map(() => browser.copy(gala.baseUrl));
  const both = await Promise.all(browsers.slice(0, 2).map((each) => each.post(action, fields)));
  const answers = [...both, await browsers[2]!.post(action, fields)];
  return { answers, browsers };
}

const sentProposal = async () => {
  const offer = await send(client, (await draft(client)).id as string);
  return { offer, page: pathOf(offer) };
};

describe('a proposal', () => {
  test.each(['accept', 'decline'])('that is answered twice (%s) was answered once', async (action) => {
    const { offer, page } = await sentProposal();
    const ana = visitor(gala.baseUrl);
    const tokens = await tokensOf(ana, page, `${page}/${action}`);
    const fields = { ...tokens, name: 'Ana Pérez', consent: 'yes', decline: 'yes' };
    const { answers } = await sendThrice(ana, `${page}/${action}`, fields);
    expect(answers.map(outcome)).toEqual(Array(3).fill(`303 ${page}`));
    const types = await typesOf(client, offer.id as string);
    expect(
      types.filter((type) => type === `proposal.${action === 'accept' ? 'accepted' : 'declined'}`),
    ).toHaveLength(1);
  });

  test('that somebody else has answered meanwhile says so, again and again', async () => {
    const { page } = await sentProposal();
    const [ana, ben] = [visitor(gala.baseUrl), visitor(gala.baseUrl)];
    const fields = { ...(await tokensOf(ana, page, `${page}/accept`)), name: 'Ana', consent: 'yes' };
    await ben.submit(`${page}/accept`, { name: 'Ben', consent: 'yes' }, { on: page });
    const { answers } = await sendThrice(ana, `${page}/accept`, fields);
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(answers[0]!.text).not.toContain('This form was already sent');
  });

  test('that is accepted once more under another name leads on to what counts', async () => {
    const { page } = await sentProposal();
    const ana = visitor(gala.baseUrl);
    const fields = { ...(await tokensOf(ana, page, `${page}/accept`)), name: 'Ana', consent: 'yes' };
    await ana.post(`${page}/accept`, fields);
    const answer = await ana.post(`${page}/accept`, { ...fields, name: 'Ana Pérez' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('This form was already sent');
    expect(answer.text).toContain(`href="${page}"`);
  });
});

test('a key that is rotated twice has one successor, and ends before any page says so', async () => {
  const browser = await browserOf(gala, OWNER);
  const { view, secret } = await makeKey(client);
  const path = `/settings/${workspace.id}/live/api-keys/${view.id}`;
  const fields = { ...(await tokensOf(browser, path, `${path}/rotate`)), grace: '0' };
  const old = new Client(gala.baseUrl, secret);
  expect((await old.get('/v1/me')).status).toBe(200);
  const statuses = await Promise.all(
    [1, 2].map(async () => {
      const { status, text } = await browser.post(`${path}/rotate`, fields);
      return [status, (await old.get('/v1/me')).status, /gala_live_\w+/.exec(text)?.[0]];
    }),
  );
  expect(statuses[0]).toEqual([201, 401, expect.any(String)]);
  expect(statuses[1]).toEqual(statuses[0]);
  const successors = await sql(
    gala.databaseUrl,
    `SELECT id FROM api_keys WHERE workspace_id = $1 AND name = $2 AND revoked_at IS NULL`,
    [toUuid(workspace.id), view.name],
  );
  expect(successors).toHaveLength(1);
});

test('an invitation that is accepted twice leads in twice, with one session', async () => {
  const email = newEmail();
  const invite = gala.app.get(InviteMember, { strict: false });
  await invite.execute(workspace.id, await ownerOf(gala), { email, role: 'member' });
  const inviter = await browserOf(gala, OWNER);
  const members = `/settings/${workspace.id}/members`;
  await inviter.submit(`${members}/invitations`, { email, role: 'member' });
  const link = mailbox.linkTo(email);
  const guest = new PageClient(gala.baseUrl);
  const fields = { ...(await tokensOf(guest, link, link)), password: PASSWORD };
  const { answers, browsers } = await sendThrice(guest, link, fields);
  expect(answers.map(outcome)).toEqual(Array(3).fill(`303 /settings/${workspace.id}`));
  expect(new Set(browsers.map(({ cookies }) => cookies.get('gala'))).size).toBe(1);
  for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true);
});

test('a code of the second factor that is sent twice signs in, to the same session', async () => {
  const { email } = await someone(gala);
  const secret = await turnOnSecondFactor(gala, email, new Date(Date.now() - 30_000));
  const browser = await signIn(gala.baseUrl, email);
  const tokens = await tokensOf(browser, '/sign-in/code', '/sign-in/code');
  const fields = { ...tokens, code: codeAt(secret, new Date()) };
  const { answers, browsers } = await sendThrice(browser, '/sign-in/code', fields);
  expect(answers.map(outcome)).toEqual(Array(3).fill('303 /settings'));
  expect(new Set(browsers.map(({ cookies }) => cookies.get('gala'))).size).toBe(1);
  for (const each of browsers) expect(await isSignedIn(each)).toBe(true);
});

test('a new password that is sent twice is saved, and told of once', async () => {
  const { email } = await someone(gala);
  const link = `/password-reset/${await gala.app.get(Accounts, { strict: false }).openPasswordReset(email)}`;
  const browser = new PageClient(gala.baseUrl);
  const password = 'another plum orbit gravel';
  const fields = { ...(await tokensOf(browser, link, link)), password };
  const { answers } = await sendThrice(browser, link, fields);
  expect(answers.map(outcome)).toEqual(Array(3).fill('303 /sign-in?notice=password-reset'));
  expect(mailbox.to(email)).toHaveLength(1);
  await signIn(gala.baseUrl, email, password);
});

test('recovery codes that are asked for twice are the same, and work', async () => {
  const { email } = await someone(gala);
  const secret = await turnOnSecondFactor(gala, email, new Date(Date.now() - 30_000));
  const browser = await browserOf(gala, email);
  const page = '/account/two-factor';
  const tokens = await tokensOf(browser, page, `${page}/recovery-codes`);
  const fields = { ...tokens, password: PASSWORD, code: codeAt(secret, new Date()) };
  const { answers } = await sendThrice(browser, `${page}/recovery-codes`, fields);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const [, code] = /<code id="field-codes"[^>]*>([^<\n]+)/.exec(answers[0]!.text)!;
  const pending = await signIn(gala.baseUrl, email);
  expect(outcome(await pending.submit('/sign-in/code', { code: code! }))).toBe('303 /settings');
});
