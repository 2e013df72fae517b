import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { Mailer } from '../../src/kernel/mailer';
import { FormSubmissions } from '../../src/platform/form-submissions/form-submissions';
import { Mailbox } from '../support/mailbox';
import { type Fields, outcome, PageClient } from '../support/page-client';
import { browserOf, newEmail, someone, workspaceOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import { memberOf } from '../workspaces/people';
import { toUuid, type WorkspaceId } from '../../src/kernel/ids';

const mailbox = new Mailbox();
const overrides = [{ provide: Mailer, useValue: mailbox }];
let gala: TestGala;
let workspace: WorkspaceId;
let email: string;
let browser: PageClient;
let keys: string;
beforeAll(async () => {
  gala = await startGala({ overrides });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  ({ email } = await someone(gala));
  workspace = await workspaceOf(gala, email);
  browser = await browserOf(gala, email);
  keys = `/settings/${workspace}/test/api-keys`;
});
afterEach(() => jest.restoreAllMocks());

const KEY = { name: 'Website form', scopes: 'leads:read', lifetime: '' };

/** What the browser sends of a form that it was shown. */
async function filled(path: string, fields: Fields, by = browser): Promise<Fields> {
  const { text } = await by.get(path);
  const form = [...text.matchAll(/<form .*?<\/form>/gs)].map(([html]) => html).at(-1)!;
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)![1]!;
  return { csrfToken: hidden('csrfToken'), submission: hidden('submission'), ...fields };
}

const shownKey = (text: string) => /gala_test_\w+/.exec(text)?.[0];
const countKeys = () => countRows('api_keys', 'workspace_id = $1', toUuid(workspace));
async function countRows(table: string, condition = 'true', ...values: unknown[]): Promise<number> {
  const statement = `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`;
  return (await sql<{ count: number }>(gala.databaseUrl, statement, values))[0]!.count;
}
const submissions = (by = browser) =>
  countRows('form_submissions', `browser = sha256(convert_to($1, 'UTF8'))`, by.cookies.get('gala'));

describe('a form that is sent several times', () => {
  test.each([2, 10])('at once (%i times) is handled once, and all see the same page', async (times) => {
    const fields = await filled(`${keys}/new`, KEY);
    const answers = await Promise.all(Array.from({ length: times }, () => browser.post(keys, fields)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(shownKey(answers[0]!.text)).toBeDefined();
    expect(await countKeys()).toBe(1);
  });

  test('on two instances at once is handled once', async () => {
    const other = await startGala({ overrides, databaseUrl: gala.databaseUrl });
    try {
      const fields = await filled(`${keys}/new`, KEY);
      const elsewhere = browser.copy(other.baseUrl);
      const answers = await Promise.all([browser, elsewhere].map((each) => each.post(keys, fields)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]!.text).toBe(answers[1]!.text);
      expect(await countKeys()).toBe(1);
    } finally {
      await other.stop();
    }
  });

  test('by reloading its result shows the same key, which is never cached', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    const first = await browser.post(keys, fields);
    const again = await browser.post(keys, fields);
    expect(again.text).toBe(first.text);
    const { date, 'x-request-id': id, ...headers } = first.headers;
    expect(again.headers).toMatchObject(headers);
    expect(again.headers['cache-control']).toBe('no-store');
    expect(await countKeys()).toBe(1);
    expect([date, id]).not.toContain(undefined);
  });

  test('leads on to the same page when it is a redirect', async () => {
    const path = `/settings/${workspace}/workspace`;
    const fields = await filled(path, {
      name: 'Hall',
      timeZone: 'Europe/Dublin',
      currency: 'GBP',
      locale: 'en-IE',
    });
    const answers = [await browser.post(path, fields), await browser.post(path, fields)];
    expect(answers.map(outcome)).toEqual(Array(2).fill(`303 ${path}?notice=saved`));
    expect(
      await countRows('audit_log', `action = 'workspace.updated' AND workspace_id = $1`, toUuid(workspace)),
    ).toBe(1);
  });

  test('has its fields in any order', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    const first = await browser.post(keys, fields);
    const reversed = Object.fromEntries(Object.entries(fields).reverse());
    expect((await browser.post(keys, reversed)).text).toBe(first.text);
  });
});

describe('a form that is changed and sent again', () => {
  test('after it was handled leads on, and changes nothing', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    await browser.post(keys, fields);
    const answer = await browser.post(keys, { ...fields, name: 'Another name' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('This form was already sent');
    expect(shownKey(answer.text)).toBeUndefined();
    expect(await countKeys()).toBe(1);
  });

  test('leads on to where the first one led', async () => {
    const path = `/settings/${workspace}/workspace`;
    const hall = { name: 'Hall', timeZone: 'Europe/Dublin', currency: 'GBP', locale: 'en-IE' };
    const fields = await filled(path, hall);
    await browser.post(path, fields);
    const answer = await browser.post(path, { ...fields, name: 'House' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(`href="${path}?notice=saved"`);
    expect((await browser.get(path)).text).toContain('value="Hall"');
  });

  test('is handled after a page that says what is wrong', async () => {
    const fields = await filled(`${keys}/new`, { ...KEY, name: '' });
    expect((await browser.post(keys, fields)).status).toBe(422);
    expect(await submissions()).toBe(0);
    const corrected = await browser.post(keys, { ...fields, name: 'Website form' });
    expect(corrected.status).toBe(201);
    expect(await countKeys()).toBe(1);
  });

  test('is handled after an error, of which nothing is kept', async () => {
    const path = `${keys}/key_00000000000000000000000000/rotate`;
    const fields = await filled(`${keys}/new`, { grace: '3600' });
    expect((await browser.post(path, fields)).status).toBe(404);
    expect(await submissions()).toBe(0);
    expect((await browser.post(keys, { ...fields, ...KEY })).status).toBe(201);
  });

  test('is told from one with the same fields that is sent elsewhere', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    await browser.post(keys, fields);
    expect((await browser.post(keys.replace('test', 'live'), fields)).status).toBe(409);
    expect(await countKeys()).toBe(1);
  });
});

describe('a form whose submission fails at the end', () => {
  test('has changed nothing and told nobody, and is handled when it is sent again', async () => {
    const path = `/settings/${workspace}/members`;
    const guest = newEmail();
    const fields = await filled(`${keys}/new`, { email: guest, role: 'member' });
    const store = gala.app.get(FormSubmissions, { strict: false });
    jest.spyOn(store, 'finish').mockRejectedValueOnce(new Error('The database is gone.'));
    expect((await browser.post(`${path}/invitations`, fields)).status).toBe(500);
    expect(await countRows('invitations', 'workspace_id = $1', toUuid(workspace))).toBe(0);
    expect(mailbox.to(guest)).toEqual([]);
    expect((await browser.post(`${path}/invitations`, fields)).status).toBe(201);
    expect((await browser.post(`${path}/invitations`, fields)).status).toBe(201);
    expect(mailbox.to(guest)).toHaveLength(1);
  });
});

describe('the token of a form', () => {
  test('may be missing, or be none: the form is handled each time', async () => {
    const { submission, ...fields } = await filled(`${keys}/new`, KEY);
    expect(submission).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const unusual: Fields[] = [
      {},
      { submission: '' },
      { submission: 'short' },
      { submission: 'ü'.repeat(43) },
    ];
    unusual.push(
      { submission: [submission as string, submission as string] },
      { submission: 'x'.repeat(65) },
    );
    for (const token of unusual) {
      for (const _ of [1, 2]) expect((await browser.post(keys, { ...fields, ...token })).status).toBe(201);
    }
    expect(await countKeys()).toBe(2 * unusual.length);
    expect(await submissions()).toBe(0);
  });

  test('is another one for each form and each time', async () => {
    const tokens = [];
    for (const _ of [1, 2]) {
      const { text } = await browser.get(`/settings/${workspace}/members`);
      tokens.push(...[...text.matchAll(/name="submission" value="([^"]+)"/g)].map(([, token]) => token));
    }
    expect(tokens.length).toBeGreaterThan(2);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('opens nothing to another browser, not even of the same person', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    const first = await browser.post(keys, fields);
    const other = await browserOf(gala, email);
    expect((await other.post(keys, fields)).status).toBe(403);
    const csrfToken = await other.csrfToken();
    const second = await other.post(keys, { ...fields, csrfToken });
    expect(second.status).toBe(201);
    expect(shownKey(second.text)).not.toBe(shownKey(first.text));
  });

  test('opens nothing to somebody who may no longer see the page', async () => {
    const admin = newEmail();
    await someone(gala, admin);
    const { id } = await gala.createWorkspace();
    await memberOf(gala, id, admin, 'admin');
    const theirs = await browserOf(gala, admin);
    const path = `/settings/${id}/test/api-keys`;
    const fields = await filled(`${path}/new`, KEY, theirs);
    expect((await theirs.post(path, fields)).status).toBe(201);
    await sql(
      gala.databaseUrl,
      `UPDATE memberships SET role = 'member' WHERE workspace_id = $1 AND role = 'admin'`,
      [toUuid(id)],
    );
    const refused = await theirs.post(path, fields);
    expect(refused.status).toBe(403);
    expect(shownKey(refused.text)).toBeUndefined();
  });
});

describe('the results that are kept', () => {
  test('hold no secret in plain text', async () => {
    const { text } = await browser.submit(keys, KEY);
    const tables = [...(await dumpTables(gala.databaseUrl)).values()].join('\n');
    const secrets = [shownKey(text)!, browser.cookies.get('gala')!];
    for (const secret of secrets) {
      expect(tables).not.toContain(secret);
      expect(tables).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  test('are kept for 24 hours', async () => {
    const fields = await filled(`${keys}/new`, KEY);
    const [first, second] = [await browser.post(keys, fields), await age('23 hours 59 minutes', fields)];
    expect(second.text).toBe(first.text);
    const third = await age('2 minutes', fields);
    expect(third.status).toBe(201);
    expect(shownKey(third.text)).not.toBe(shownKey(first.text));
  });

  async function age(by: string, fields: Fields) {
    await sql(gala.databaseUrl, `UPDATE form_submissions SET created_at = created_at - $1::interval`, [by]);
    return browser.post(keys, fields);
  }

  test('are 50 for each browser: the first ones are forgotten', async () => {
    const store = gala.app.get(FormSubmissions, { strict: false });
    const submission = (number: number) => ({
      browserSecret: browser.cookies.get('gala')!,
      token: `token ${number}`,
      content: 'x',
    });
    const inUnitOfWork = <Result>(work: () => Promise<Result>) =>
      gala.app.get(UnitOfWork, { strict: false }).run(work);
    for (let number = 0; number < 53; number++) {
      await inUnitOfWork(async () => {
        expect(await store.begin(submission(number))).toBeUndefined();
        await store.finish(submission(number), `result ${number}`);
      });
    }
    expect(await submissions()).toBe(50);
    const found = await inUnitOfWork(() => store.begin(submission(3)));
    expect(found).toEqual({ hasSameContent: true, result: 'result 3' });
    expect(await inUnitOfWork(() => store.begin(submission(2)))).toBeUndefined();
  });

  test('are no longer than 64 KiB: a repeat of a longer one says that the form was sent', async () => {
    const store = gala.app.get(FormSubmissions, { strict: false });
    const finish = store.finish.bind(store);
    jest
      .spyOn(store, 'finish')
      .mockImplementationOnce((submission, result) => finish(submission, result + ' '.repeat(65_536)));
    const fields = await filled(`${keys}/new`, KEY);
    expect((await browser.post(keys, fields)).status).toBe(201);
    const again = await browser.post(keys, fields);
    expect(again.status).toBe(409);
    expect(await countKeys()).toBe(1);
  });
});
