import type { Answer, Client } from 'gala/testing';
import { startService } from './start';

type Service = Awaited<ReturnType<typeof startService>>;

const SCOPES = ['leads:read', 'leads:write', 'loyalty:read', 'loyalty:write'];

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await service.workspace.client('live', SCOPES);
}, 120_000);
afterAll(() => service.stop());

test('leads of clients with an account are marked, and keep their address while it has points', async () => {
  await client.post('/v1/loyalty-accounts/grants', { grants: [{ email: 'kim@example.com', points: 5 }] });
  const { body: accounts } = await client.get('/v1/loyalty-accounts?email=kim@example.com');
  const account: string = accounts.data[0].id;
  const { body: lead } = await client.post('/v1/leads', { email: 'KIM@example.com', tags: ['garden'] });
  expect(lead.tags).toEqual(['garden', 'regular']);
  const change = (email: string) => client.patch(`/v1/leads/${lead.id}`, { email });
  expect(await change('kim@example.com')).toMatchObject({ status: 200 });
  expect(await change('kim@example.org')).toMatchObject({
    status: 422,
    body: { error: { field: 'email', message: 'email: has 5 loyalty points; redeem them first' } },
  });
  await client.post(`/v1/loyalty-accounts/${account}/redeem`, { points: 5 });
  expect(await change('kim@example.org')).toMatchObject({ status: 200, body: { email: 'kim@example.org' } });
});

test('an admin decides on the tag, and whether addresses stay', async () => {
  const browser = await service.workspace.browser('owner');
  const settings = `/settings/${service.workspace.id}/live/loyalty-settings`;
  expect((await browser.get(settings)).text).toMatch(/name="keepsAddress" value="yes" checked/);
  const wrong = await browser.submit(settings, { memberTag: 'x'.repeat(51), notes: '\nBring cake' });
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('at most 50 characters') });
  expect(wrong.text).toMatch(/<textarea[^>]*>\n\nBring cake<.textarea>/);
  expect(await browser.submit(settings, { memberTag: 'friend', notes: '' })).toMatchObject({ status: 303 });
  expect((await browser.get(settings)).text).toContain('name="keepsAddress" value="yes"/>');

  await client.post('/v1/loyalty-accounts/grants', { grants: [{ email: 'liv@example.com', points: 5 }] });
  const { body: lead } = await client.post('/v1/leads', { email: 'liv@example.com' });
  expect(lead.tags).toEqual(['friend']);
  const moved = { email: 'liv@example.org' };
  expect(await client.patch(`/v1/leads/${lead.id}`, moved)).toMatchObject({ status: 200, body: moved });
  const back = { memberTag: 'regular', keepsAddress: 'yes' };
  expect(await browser.submit(settings, back)).toMatchObject({ status: 303 });
});

test.each(['points', '-points'])('accounts are listed by %s, cursor by cursor', async (sort) => {
  const own = await service.workspace.client('test', SCOPES);
  const points = [7, 100, 7, 9, 1000];
  const grants = points.map((each, index) => ({ email: `${index}${sort}@example.com`, points: each }));
  await own.post('/v1/loyalty-accounts/grants', { grants });
  const { body: whole } = await own.get(`/v1/loyalty-accounts?sort=${sort}&limit=100`);
  const inOrder = whole.data.map((account: { points: number }) => account.points);
  expect(inOrder).toEqual(inOrder.toSorted((a: number, b: number) => (sort === 'points' ? a - b : b - a)));
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const step: string = cursor ? `&cursor=${cursor}` : '';
    const { body }: Answer = await own.get(`/v1/loyalty-accounts?sort=${sort}&limit=2${step}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.nextCursor;
  }
  expect(ids).toEqual(whole.data.map(({ id }: { id: string }) => id));
});

test('a cursor with a number that fits no column is answered', async () => {
  const { body } = await client.get('/v1/loyalty-accounts?sort=points&limit=1');
  const [fingerprint, page, , id] = JSON.parse(
    Buffer.from(body.pagination.nextCursor, 'base64url').toString(),
  );
  const ask = (value: string) => {
    const cursor = Buffer.from(JSON.stringify([fingerprint, page, value, id])).toString('base64url');
    return client.get(`/v1/loyalty-accounts?sort=points&cursor=${cursor}`);
  };
  expect(await ask('999999999999999999')).toMatchObject({ status: 200, body: { data: [] } });
  for (const value of ['1.5', '1e3', 'NaN', '9999999999999999999', '']) {
    expect(await ask(value)).toMatchObject({ status: 422, body: { error: { field: 'cursor' } } });
  }
});
