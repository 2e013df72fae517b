import { Clock } from '../../src/kernel/clock';
import { Mailer, type MailReach } from '../../src/kernel/mailer';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

class Postman extends Mailbox {
  constructor(private readonly mailReach: MailReach) {
    super(mailReach !== 'nowhere');
  }

  override get reach(): MailReach {
    return this.mailReach;
  }
}

/** What pages say when someone gets a mail. */
const PROMISE =
  /on its way|by (e-?)?mail|(e-?)mail(ed)? (you|me|them)|check your (e-?)?mail|spam|we sen[dt]/i;
const INSTEAD: Record<MailReach, RegExp> = {
  mailbox: PROMISE,
  console: /printed in the terminal|sends no email|no mail server/i,
  nowhere: /sends no email/i,
};

describe.each<MailReach>(['mailbox', 'console', 'nowhere'])('where mails reach: %s', (reach) => {
  const clock = new FakeClock();
  const mailer = new Postman(reach);
  let gala: TestGala;
  let owner: PageClient;
  let members: string;
  beforeAll(async () => {
    gala = await startGala({
      overrides: [
        { provide: Clock, useValue: clock },
        { provide: Mailer, useValue: mailer },
      ],
    });
    const email = newEmail();
    members = `/settings/${await workspaceOf(gala, email)}/members`;
    owner = await browserOf(gala, email);
  });
  afterAll(() => gala.stop());

  function expectHonest(text: string): void {
    const main = /<main[\s\S]*<\/main>/.exec(text)![0];
    expect(main).toMatch(INSTEAD[reach]);
    if (reach !== 'mailbox') expect(main).not.toMatch(PROMISE);
  }
  const invite = async (email: string) => {
    const { text } = await owner.submit(`${members}/invitations`, { email, role: 'member' }, { on: members });
    return { text, link: /http:\/\/localhost:3000(\/invitations\/[\w.-]+)/.exec(text)![1]! };
  };

  test('a forgotten password', async () => {
    const browser = new PageClient(gala.baseUrl);
    expectHonest((await browser.get('/password-reset')).text);
    const asked = { on: '/sign-in' };
    expectHonest((await browser.submit('/password-reset', { email: newEmail() }, asked)).text);
  });

  test('the operator’s command is named where nobody else can help', async () => {
    const { text } = await new PageClient(gala.baseUrl).get('/password-reset');
    expect(text.includes('npx gala user reset-link --email')).toBe(reach === 'nowhere');
  });

  test('an account with an address that nobody confirmed', async () => {
    const email = newEmail();
    const { link } = await invite(email);
    const path = reach === 'nowhere' ? link : mailer.linkTo(email);
    const browser = new PageClient(gala.baseUrl);
    await browser.submit(path, { password: 'plum gravel orbit tandem' }, { on: path });
    expect((await browser.get('/account')).text.includes('not confirmed')).toBe(reach === 'nowhere');
    expectHonest((await owner.get('/account')).text);
  });

  test('members, and who was just invited', async () => {
    expectHonest((await owner.get(members)).text);
    expectHonest((await invite(newEmail())).text);
  });

  test('an invitation that someone new opens by the link that its inviter saw', async () => {
    const { link } = await invite(newEmail());
    const browser = new PageClient(gala.baseUrl);
    const { text } = await browser.get(link);
    if (reach === 'nowhere') {
      expect(text).not.toMatch(PROMISE);
      expect(text).toContain('name="password"');
      return;
    }
    expectHonest(text);
    expectHonest((await browser.submit(link, {}, { on: link })).text);
  });
});
