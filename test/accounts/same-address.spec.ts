import fc from 'fast-check';
import { newId } from '../../src/kernel/ids';
import { foldText } from '../../src/kernel/text';
import { Accounts } from '../../src/modules/accounts';
import { GuessLimit, PasswordHasher } from '../../src/modules/accounts/application/ports';
import { AcceptInvitation, CancelInvitation, InviteMember, Members } from '../../src/modules/workspaces';
import { Mailer } from '../../src/kernel/mailer';
import { Mailbox } from '../support/mailbox';
import { PageClient } from '../support/page-client';
import { FastPasswordHasher } from '../support/password-hashers';
import { PASSWORD, someone } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ADDRESS, ownerOf } from '../workspaces/people';

let gala: TestGala;
let workspace: TestWorkspace;
const mailbox = new Mailbox();
beforeAll(async () => {
  gala = await startGala({
    configuration: { trustedProxies: ['loopback'] },
    overrides: [
      { provide: PasswordHasher, useClass: FastPasswordHasher },
      { provide: Mailer, useValue: mailbox },
    ],
  });
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());
beforeEach(() => {
  tests++;
});

const get = <Type>(token: abstract new (...args: never[]) => Type) =>
  gala.app.get<Type>(token, { strict: false });
const domain = () => `${newId('mail').replace('_', '')}.example`;
let tests = 0;
/** Of a network address that this test has for itself. */
const anyone = () => new PageClient(gala.baseUrl, { 'X-Forwarded-For': `10.3.0.${tests}` });
const tryToSignIn = (email: string, password: string) => anyone().submit('/sign-in', { email, password });

/** Pairs of spellings that some layer or other takes for one address. */
const SPELLINGS = [
  ['mimi', 'mİmi'],
  ['mimi', 'MIMI'],
  ['mimi', 'mi\u0307mi'],
  ['mİmi', 'mi\u0307mi'],
  ['mimi', 'mımı'],
  ['zoë', 'zoe\u0308'],
  ['ZOË', 'zoe\u0308'],
  ['κώστας', 'ΚΏΣΤΑΣ'],
  ['kelvin', '\u212aelvin'],
  ['straße', 'STRASSE'],
  ['ångström', '\u212bngstro\u0308m'],
  ['ﬁne', 'fine'],
] as const;

describe.each(SPELLINGS)('the addresses %s@… and %s@…', (one, other) => {
  test('share the limit on guesses exactly if they open the same account', async () => {
    const host = domain();
    await someone(gala, `${one}@${host}`);
    const opens = (await tryToSignIn(`${other}@${host}`, PASSWORD)).status === 303;
    for (let guess = 0; guess < 10; guess++)
      expect((await tryToSignIn(`${one}@${host}`, 'wrong')).status).toBe(422);
    expect((await tryToSignIn(`${one}@${host}`, PASSWORD)).status).toBe(429);
    expect((await tryToSignIn(`${other}@${host}`, PASSWORD)).status).toBe(opens ? 429 : 422);
  });

  test('share the limit on mails exactly if mails reach the same account', async () => {
    const host = domain();
    const { email } = await someone(gala, `${one}@${host}`);
    const ask = (spelling: string) => anyone().submit('/password-reset', { email: `${spelling}@${host}` });
    for (let mail = 0; mail < 8; mail++) await ask(mail % 2 ? one : other);
    expect(mailbox.to(email)).toHaveLength(foldText(one) === foldText(other) ? 5 : 4);
  });
});

test('two spellings that one place takes as equal are equal everywhere', async () => {
  const letters = fc.constantFrom(
    ...'aikszİIıßςσΣéÉ',
    'e\u0301',
    'i\u0307',
    'a\u030a',
    '\u212a',
    '\u212b',
    'ſ',
  );
  const respell = fc.constantFrom(
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
    (text: string) => text.normalize('NFD'),
    (text: string) => text.normalize('NFC'),
    (text: string) => text.replaceAll('i', 'İ'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(letters, { minLength: 1, maxLength: 6 }), respell, async (typed, respelled) => {
      const host = domain();
      const one = `${typed.join('')}@${host}`;
      const other = `${respelled(typed.join(''))}@${host}`;
      const accounts = get(Accounts);
      const owner = await ownerOf(gala);
      const user = await accounts.findOrAdd(one);
      const expected = foldText(one) === foldText(other);

      expect((await accounts.find(other))?.id === user.id).toBe(expected);

      const limit = get(GuessLimit);
      for (let mail = 0; mail < 5; mail++) await limit.allowsMail(one);
      expect(!(await limit.allowsMail(other))).toBe(expected);

      const invite = (email: string) =>
        get(InviteMember).execute(workspace.id, owner, { email, role: 'member' });
      const first = await invite(one);
      const second = await invite(other);
      expect((await get(Members).findInvitation(first.token)) === undefined).toBe(expected);
      const accepted = await get(AcceptInvitation)
        .execute(second.token, user, ADDRESS)
        .catch(() => undefined);
      expect(accepted !== undefined).toBe(expected);
      const again = await invite(other).catch(() => undefined);
      expect(again === undefined).toBe(expected);

      const { invitations } = await get(Members).list(workspace.id);
      for (const { id } of invitations) await get(CancelInvitation).execute(workspace.id, owner, id);
    }),
    { numRuns: 60 },
  );
});

test('an address with an invisible character is refused wherever one is typed', async () => {
  const client = await workspace.client();
  for (const character of [
    '\u200b',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u00ad',
    '\u3000',
    '\u200d',
    '\ufeff',
    '\u115f',
  ]) {
    const email = `a${character}na@example.com`;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const answer = await client.post('/v1/leads', { email });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      field: 'email',
      message: expect.stringContaining(`U+${code}`),
    });
    const pages = [await tryToSignIn(email, PASSWORD), await anyone().submit('/password-reset', { email })];
    for (const page of pages) {
      expect(page.status).toBe(422);
      expect(page.text).toContain(`must not contain the invisible character U+${code}`);
    }
  }
});
