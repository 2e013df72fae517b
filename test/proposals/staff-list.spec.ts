import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { LINES, pathOf, send, visitor } from './support';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
let path: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  path = `/settings/${workspace.id}/live/proposals`;
  const email = `member.${workspace.id}@example.com`;
  await memberOf(gala, workspace.id, email, 'member');
  member = await browserOf(gala, email);
});

async function propose(title: string, lead: Partial<LeadBody> = {}, fields: object = {}): Promise<any> {
  clock.advance(60);
  const { id: leadId } = await createLead(client, { guests: 1, ...lead });
  const { status, body } = await client.post('/v1/proposals', { leadId, title, lineItems: LINES, ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function show(query = ''): Promise<string> {
  const { status, text } = await member.get(`${path}${query && `?${query}`}`);
  expect(status).toBe(200);
  return text;
}

/** The rows of the list, with the text of each cell. */
async function rows(query = ''): Promise<string[][]> {
  const [, body = ''] = /<tbody.*?>(.*)<\/tbody>/s.exec(await show(query)) ?? [];
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      [...row.matchAll(/<t[hd][ >].*?<\/t[hd]>/gs)].map(([cell]) => cell.replace(/<[^>]*>/g, '').trim()),
    );
}
const titles = async (query = '') => (await rows(query)).map(([, title]) => title!.split(' · ')[1]);

test('shows client, total, and when it was sent and viewed, and leads to both pages', async () => {
  const draft = await propose('Garden wedding', { name: 'Lucía Fernández' });
  const offer = await send(client, (await propose('Gala dinner', { email: 'ben@example.com' })).id);
  clock.advance(3600);
  await visitor(gala.baseUrl).get(pathOf(offer));
  const [first, second] = await rows();
  expect(first).toEqual([
    ...['ben@example.com', '2 · Gala dinner', 'Viewed', '€3,118.50'],
    ...[expect.stringMatching(/\d\d:\d\d$/), expect.stringMatching(/\d\d:\d\d$/), 'No expiry'],
  ]);
  expect(second).toEqual([
    ...['Lucía Fernández', '1 · Garden wedding', 'Draft', '€3,118.50', 'Not sent', 'Not viewed', 'No expiry'],
  ]);
  const text = await show();
  expect(text).toContain(`href="${path}/${draft.id}"`);
  expect(text).toContain(`href="/settings/${workspace.id}/live/leads/${draft.leadId}"`);
});

test.each([
  [9, 'in 9 days'],
  [1, 'tomorrow'],
  [0, 'today'],
  [-1, 'expired yesterday'],
  [-3, 'expired 3 days ago'],
])('says of a last day %d days from now: %s', async (days, text) => {
  const validUntil = clock.in(days * 86_400).slice(0, 10);
  await propose('Wedding', {}, { validUntil });
  expect((await rows())[0]!.at(-1)).toBe(text);
  expect(await show()).toContain(`<time datetime="${validUntil}" title="`);
});

test('finds proposals by number, title and client, whatever the case', async () => {
  await propose('Garden wedding', { name: 'Lucía Fernández', email: 'lucia@example.com' });
  await propose('HOCHZEIT im Gärtchen', { name: 'Ben' });
  await propose('100 % vegan', { name: 'Zoë', email: 'zoe_1@example.com' });
  for (const [words, found] of [
    ['wedding', ['Garden wedding']],
    ['LUCÍA', ['Garden wedding']],
    ['lucia@', ['Garden wedding']],
    ['lucía garden', ['Garden wedding']],
    ['lucía vegan', []],
    ['hochzeit gärtchen', ['HOCHZEIT im Gärtchen']],
    ['gärtchen'.normalize('NFD'), ['HOCHZEIT im Gärtchen']],
    ['2', ['HOCHZEIT im Gärtchen']],
    ['#2', ['HOCHZEIT im Gärtchen']],
    ['%', ['100 % vegan']],
    ['zoe_', ['100 % vegan']],
    ['\\', []],
  ] as const) {
    expect({ words, found: await titles(`q=${encodeURIComponent(words)}`) }).toEqual({ words, found });
  }
  expect(await show('q=nothing')).toContain('No proposals found');
});

test('the search keeps the status and the order, and shows again what was typed', async () => {
  const text = await show('q=%22wed%22&status=draft&sort=total');
  expect(text).toContain('value="&quot;wed&quot;"');
  expect(text).toContain('<input type="hidden" name="status" value="draft"/>');
  expect(text).toContain('<input type="hidden" name="sort" value="total"/>');
});

test.each([
  ['', ['c', 'b', 'a']],
  ['createdAt', ['a', 'b', 'c']],
  ['total', ['b', 'c', 'a']],
  ['-total', ['a', 'c', 'b']],
  // What has no value comes last.
  ['sentAt', ['a', 'b', 'c']],
  ['-sentAt', ['b', 'a', 'c']],
  ['viewedAt', ['b', 'c', 'a']],
  ['validUntil', ['c', 'a', 'b']],
  ['-validUntil', ['a', 'c', 'b']],
])('is sorted by "%s"', async (sort, expected) => {
  const line = (unitAmount: number) => ({ lineItems: [{ description: 'Hall', unit: 'flat', unitAmount }] });
  const a = await propose('a', {}, { ...line(300), validUntil: '2028-02-02' });
  const b = await propose('b', {}, line(100));
  await propose('c', {}, { ...line(200), validUntil: '2028-01-01' });
  await send(client, a.id);
  clock.advance(60);
  await visitor(gala.baseUrl).get(pathOf(await send(client, b.id)));
  const shown = await titles(`sort=${sort}`);
  // Those without a value are in the order of their ids, which is that of their creation or the opposite.
  expect(sort === 'viewedAt' ? [shown[0], ...shown.slice(1).sort().reverse()] : shown).toEqual(expected);
});

test('headers lead to the other orders, and say which one is shown', async () => {
  await propose('a');
  const text = await show('sort=-total&status=draft');
  expect(text).toContain('aria-sort="descending"');
  expect(text.match(/aria-sort/g)).toHaveLength(1);
  expect(text).toContain(`href="${path}?status=draft&amp;sort=total"`);
  expect(text).toContain(`href="${path}?status=draft&amp;sort=validUntil"`);
  expect(text).toContain(`href="${path}?status=draft"`);
});

test.each(['sort=total', 'sort=-sentAt', 'sort=validUntil', 'q=wedding', 'sort=createdAt'])(
  'goes on page by page, without a gap: %s',
  async (query) => {
    const { id } = await propose('wedding');
    await sql(
      gala.databaseUrl,
      `INSERT INTO proposals (workspace_id, mode, id, lead_id, number, version, title, status, currency, line_items, subtotal,
         tax_total, total, valid_until, sent_at, created_at, updated_at, revision)
       SELECT workspace_id, mode, gen_random_uuid(), lead_id, number + n, version, title, status, currency, line_items,
         subtotal + n % 7, tax_total, total + n % 7, CASE WHEN n % 3 = 0 THEN date '2028-01-01' + n % 5 END,
         CASE WHEN n % 2 = 0 THEN created_at END, created_at + n % 11 * interval '1 second', updated_at, revision
       FROM proposals, generate_series(1, 119) AS n WHERE title = 'wedding' AND created_at = (
         SELECT created_at FROM proposals ORDER BY created_at DESC LIMIT 1)`,
    );
    const numbers: string[] = [];
    let next: string | undefined = `${path}?${query}`;
    for (let page = 0; next && page < 5; page++) {
      const { status, text }: { status: number; text: string } = await member.get(next);
      expect(status).toBe(200);
      numbers.push(...[...text.matchAll(/>(\d+) · <bdi>/g)].map(([, number]) => number!));
      next = /<a href="([^"]*)"[^>]*rel="next"|rel="next"[^>]*href="([^"]*)"/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&');
    }
    expect(id).toBeDefined();
    expect(numbers).toHaveLength(120);
    expect(new Set(numbers).size).toBe(120);
  },
);

test('narrowed to a lead, a status or both', async () => {
  const a = await propose('a');
  await propose('b');
  await send(client, a.id);
  expect(await titles(`lead=${a.leadId}`)).toEqual(['a']);
  expect(await titles(`lead=${a.leadId}&status=draft`)).toEqual([]);
  expect(await titles('status=draft')).toEqual(['b']);
  expect(await titles('lead=nonsense')).toEqual([]);
  expect(await titles('q=a&lead=nonsense')).toEqual([]);
});

test.each([
  'q=%00',
  'q=%ED%A0%80x',
  `q=${'w+'.repeat(2000)}`,
  'sort=nonsense',
  'status=nonsense',
  'q=a&q=b',
  'cursor=',
])('minds no odd address: %.20s', async (query) => {
  await propose('a');
  const { status } = await member.get(`${path}?${query}`);
  expect([200, 400]).toContain(status);
});

test('shows markup and names from right to left as they are', async () => {
  await propose('<b>bold</b>', { name: '<i>name</i>' });
  await propose('حفل زفاف', { name: 'سارة' });
  const text = await show();
  expect(text).toContain('&lt;b>bold&lt;/b>');
  expect(text).not.toContain('<i>name');
  expect(text).toContain('<bdi>حفل زفاف</bdi>');
});

test('has nothing of another workspace or mode', async () => {
  await propose('a');
  const other = await gala.createWorkspace();
  await createLead(await other.client());
  for (const query of ['', '?q=a', '?sort=total']) {
    const text = (await member.get(`/settings/${workspace.id}/test/proposals${query}`)).text;
    expect(text).not.toContain('<tbody');
  }
});
