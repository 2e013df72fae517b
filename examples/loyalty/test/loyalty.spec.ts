import { type Answer, Browser, type Client, eventually } from 'gala/testing';
import { startService } from './start';

const SCOPES = ['leads:read', 'leads:write', 'loyalty:read', 'loyalty:write', 'webhooks:write'];

let service: Awaited<ReturnType<typeof startService>>;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await service.workspace.client('live', SCOPES);
}, 120_000);
afterAll(() => service.stop());

/** A lead whose event is confirmed, and what its client then has. */
async function confirm(lead: { email: string; guests?: number }): Promise<string> {
  const { body } = await client.post('/v1/leads', lead);
  await client.patch(`/v1/leads/${body.id}`, { stage: 'confirmed' });
  return body.id;
}

const accountOf = (email: string, points: number) =>
  eventually(async () => {
    const { body } = await client.get(`/v1/loyalty-accounts?email=${encodeURIComponent(email)}`);
    expect(body.data).toEqual([expect.objectContaining({ points })]);
    return body.data[0];
  });

test('a client whose event is confirmed earns points, once for each lead', async () => {
  const id = await confirm({ email: 'Ana@example.com', guests: 120 });
  const account = await accountOf('ana@example.com', 1300);
  expect(account).toMatchObject({
    id: expect.stringMatching(/^loy_/),
    email: 'ana@example.com',
    points: 1300,
  });
  expect((await client.get(`/v1/loyalty-accounts/${account.id}`)).body).toEqual(account);

  await client.patch(`/v1/leads/${id}`, { stage: 'negotiation' });
  await client.patch(`/v1/leads/${id}`, { stage: 'confirmed' });
  await confirm({ email: 'ana@example.com' });
  expect(await accountOf('ana@example.com', 1400)).toMatchObject({ points: 1400 });
});

test('the timeline of a lead shows the points that it earned, to those who may read them', async () => {
  const id = await confirm({ email: 'tim@example.com', guests: 20 });
  await accountOf('tim@example.com', 300);
  const entries: any[] = [];
  for (let cursor = ''; entries.length < 10;) {
    const { status, body } = await client.get(`/v1/leads/${id}/timeline?limit=1${cursor}`);
    expect(status).toBe(200);
    entries.push(...body.data);
    if (!body.pagination.hasNext) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  expect(entries.map(({ type }) => type)).toEqual(['loyalty_points_earned', 'stage_changed']);
  expect(entries[0]).toMatchObject({ id, summary: 'The client earned 300 points', data: { points: 300 } });
  const other = await service.workspace.client('live', ['leads:read']);
  const { body } = await other.get(`/v1/leads/${id}/timeline`);
  expect(body.omitted).toContain('loyalty');
  expect(body.data.map(({ type }: any) => type)).toEqual(['stage_changed']);
});

test('an enquiry is won at a stage of the workspace’s own, too', async () => {
  const admin = await service.workspace.client('live', ['schema:write']);
  await admin.post('/v1/stages', { key: 'deposit_paid', name: 'Deposit paid', outcome: 'won' });
  const { body } = await client.post('/v1/leads', { email: 'eva@example.com' });
  await client.patch(`/v1/leads/${body.id}`, { stage: 'deposit_paid' });
  await accountOf('eva@example.com', 100);
});

test('a client is one person in every spelling of their address', async () => {
  await confirm({ email: 'Zoe\u0308@example.com' });
  await accountOf('zoë@example.com', 100);
  await confirm({ email: 'ZOË@example.com' });
  expect(await accountOf('ZOE\u0308@example.com', 200)).toMatchObject({ email: 'zoë@example.com' });
});

test('points are redeemed, as many as there are', async () => {
  await confirm({ email: 'ben@example.com' });
  const { id } = await accountOf('ben@example.com', 100);
  const redeem = (points: unknown) => client.post(`/v1/loyalty-accounts/${id}/redeem`, { points });
  expect(await redeem(60)).toMatchObject({ status: 200, body: { points: 40 } });
  expect(await redeem(41)).toMatchObject({ status: 422, body: { error: { field: 'points' } } });
  expect(await redeem('40')).toMatchObject({ status: 422, body: { error: { field: 'points' } } });
  const both = await Promise.all([redeem(40), redeem(40)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('points are redeemed once, however often the request is sent, and only as they were seen', async () => {
  await confirm({ email: 'gus@example.com' });
  const { id } = await accountOf('gus@example.com', 100);
  const path = `/v1/loyalty-accounts/${id}`;
  const seen = (await client.get(path)).headers.etag!;
  const redeem = (headers: Record<string, string>) =>
    client.post(`${path}/redeem`, { points: 10 }, { headers });
  expect(await redeem({ 'Idempotency-Key': 'receipt-1' })).toMatchObject({
    status: 200,
    body: { points: 90 },
  });
  expect(await redeem({ 'Idempotency-Key': 'receipt-1' })).toMatchObject({
    status: 200,
    body: { points: 90 },
  });
  expect(await redeem({ 'If-Match': seen })).toMatchObject({
    status: 422,
    body: { error: { field: 'If-Match' } },
  });
  expect((await client.get(path)).body.points).toBe(90);
});

test('points are granted to several clients at once, or to none', async () => {
  const grant = (...grants: object[]) => client.post('/v1/loyalty-accounts/grants', { grants });
  expect(
    await grant({ email: 'Hal@example.com', points: 5 }, { email: 'ida@example.com', points: 7 }),
  ).toMatchObject({ status: 200, body: { points: 12 } });
  expect(await grant({ email: 'without-points@example.com', points: 1 }, { email: 'ida' })).toMatchObject({
    status: 422,
    body: { error: { field: 'grants[1].email' } },
  });
  expect(
    await grant(
      { email: 'without-points@example.com', points: 1 },
      { email: 'ida@example.com', points: 1_000_000 },
    ),
  ).toMatchObject({ status: 422, body: { error: { field: 'points' } } });
  expect(await accountOf('hal@example.com', 5)).toMatchObject({ points: 5 });
  expect(await accountOf('ida@example.com', 7)).toMatchObject({ points: 7 });
});

test('who wants to come again is a lead, with or without saying more', async () => {
  await client.post('/v1/loyalty-accounts/grants', { grants: [{ email: 'jo@example.com', points: 1 }] });
  const { id } = await accountOf('jo@example.com', 1);
  const enquire = (body?: object) => client.post(`/v1/loyalty-accounts/${id}/enquire`, body);
  for (const [answer, guests] of [
    [await enquire(), null],
    [await enquire({ guests: 80 }), 80],
  ] as const) {
    expect(answer.status).toBe(201);
    const { body } = await client.get(`/v1/leads/${answer.body.leadId}`);
    expect(body).toMatchObject({ email: 'jo@example.com', tags: ['regular'], guests });
  }
});

test('the terms are for everybody, estimates for every key', async () => {
  const terms = await service.anonymous.get('/v1/loyalty-programme');
  expect(terms.body).toEqual({ pointsPerBooking: 100, pointsPerGuest: 10, yearsUntilExpiry: 2 });
  const estimate = '/v1/loyalty-programme/estimate?guests=';
  expect(await service.anonymous.get(`${estimate}5`)).toMatchObject({ status: 401 });
  const anyKey = await service.workspace.client('test', ['leads:read']);
  expect(await anyKey.get(`${estimate}5`)).toMatchObject({ status: 200, body: { points: 150 } });
  expect(await anyKey.get(`${estimate}-5`)).toMatchObject({
    status: 422,
    body: { error: { field: 'guests' } },
  });
});

test('lists are walked with cursors, and an older route says that it will end', async () => {
  const grants = [1, 2, 3].map((points) => ({ email: `page-${points}@example.com`, points }));
  await client.post('/v1/loyalty-accounts/grants', { grants });
  const first = await client.get('/v1/loyalty-accounts?limit=2');
  expect(first.body.data.map(({ points }: { points: number }) => points)).toEqual([3, 2]);
  const second = await client.get(`/v1/loyalty-accounts?limit=1&cursor=${first.body.pagination.nextCursor}`);
  expect(second.body.data).toEqual([expect.objectContaining({ points: 1 })]);
  const older = await client.get(`/v1/loyalty-accounts/${second.body.data[0].id}/points`);
  expect(older).toMatchObject({ status: 200, body: { points: 1 } });
  expect(older.headers.sunset).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
});

test('its scopes open its routes, and no others do', async () => {
  const stranger = await service.workspace.client(
    'live',
    SCOPES.filter((scope) => !scope.startsWith('loyalty')),
  );
  expect(await stranger.get('/v1/loyalty-accounts')).toMatchObject({ status: 403 });
  const reader = await service.workspace.client('live', ['loyalty:read']);
  expect(await reader.get('/v1/loyalty-accounts')).toMatchObject({ status: 200 });
  expect(
    await reader.post('/v1/loyalty-accounts/loy_01h455vb4pex5vsknk084sn02q/redeem', { points: 1 }),
  ).toMatchObject({
    status: 403,
  });
});

test('what is earned in the sandbox stays there', async () => {
  const sandbox = await service.workspace.client('test', SCOPES);
  const { body } = await sandbox.post('/v1/leads', { email: 'cleo@example.com', stage: 'contacted' });
  await sandbox.patch(`/v1/leads/${body.id}`, { stage: 'confirmed' });
  await eventually(async () => {
    const inSandbox = await sandbox.get('/v1/loyalty-accounts');
    expect(inSandbox.body.data).toEqual([expect.objectContaining({ email: 'cleo@example.com' })]);
  });
  const live = await client.get('/v1/loyalty-accounts?limit=100');
  expect(live.text).not.toContain('cleo@example.com');
});

test('its events are read, and endpoints subscribe to them', async () => {
  await confirm({ email: 'dora@example.com' });
  await accountOf('dora@example.com', 100);
  const { body } = await client.get('/v1/events?type=loyalty_account.points_earned');
  expect(body.data[0]).toMatchObject({
    type: 'loyalty_account.points_earned',
    data: { email: 'dora@example.com', points: 100 },
    previous: { points: 0 },
  });
  const subscribe = (events: string[]): Promise<Answer> =>
    client.post('/v1/webhooks', { url: 'https://hooks.example.com/gala', events });
  expect(await subscribe(['loyalty_account.*', 'loyalty_account.points_redeemed'])).toMatchObject({
    status: 201,
  });
  expect(await subscribe(['loyalty_account.points_lost'])).toMatchObject({ status: 422 });
});

test('the API reference tells of its routes', async () => {
  const { body } = await client.get('/openapi.json');
  const operations = Object.entries<Record<string, { operationId: string }>>(body.paths)
    .filter(([path]) => path.includes('loyalty'))
    .flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
  expect(operations.sort()).toEqual([
    'enquireAgain',
    'estimateLoyaltyPoints',
    'getLoyaltyAccount',
    'getLoyaltyPoints',
    'getLoyaltyProgramme',
    'grantLoyaltyPoints',
    'listLoyaltyAccounts',
    'redeemLoyaltyPoints',
  ]);
  expect(body.tags).toContainEqual({
    name: 'Loyalty',
    description: 'Points that clients earn with what they book.',
  });
  expect(body.paths['/v1/loyalty-accounts/{id}/points'].get.deprecated).toBe(true);
  const { LoyaltyAccountList, RedeemBody } = body.components.schemas;
  expect(LoyaltyAccountList.properties.data.items).toEqual({ $ref: '#/components/schemas/LoyaltyAccount' });
  expect(RedeemBody.properties.points).toMatchObject({ type: 'integer', minimum: 1, maximum: 1_000_000 });
});

describe('in the settings area', () => {
  let browser: Browser;
  let path: string;
  beforeAll(async () => {
    browser = await service.workspace.browser();
    path = `/settings/${service.workspace.id}/live/loyalty`;
  });

  test('the page of a lead shows the points of its client, if there are any', async () => {
    const id = await confirm({ email: 'kim@example.com', guests: 20 });
    await accountOf('kim@example.com', 300);
    const { text } = await browser.get(path.replace(/loyalty$/, `leads/${id}`));
    expect(text).toContain('<h2>Loyalty</h2><p>300 points</p>');
    const { body: other } = await client.post('/v1/leads', { email: 'without-points@example.com' });
    const without = await browser.get(path.replace(/loyalty$/, `leads/${other.id}`));
    expect(without.text).not.toContain('<h2>Loyalty</h2>');
  });

  test('a page of its own stands among the others', async () => {
    const overview = await browser.get(`/settings/${service.workspace.id}`);
    expect(overview.text).toContain(`href="${path}"`);
    await confirm({ email: 'emil@example.com' });
    await accountOf('emil@example.com', 100);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('emil@example.com');
    expect(page.text).toMatch(
      new RegExp(`href="${path}"[^>]* aria-current="page"|aria-current="page"[^>]* href="${path}"`),
    );
  });

  test('points are redeemed with a form, and the audit log tells of it', async () => {
    await confirm({ email: 'fay@example.com' });
    await accountOf('fay@example.com', 100);
    const refused = await browser.submit(path, { email: 'fay@example.com', points: '101' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('there are no more');
    expect((await browser.submit(path, { email: 'nobody@example.com', points: '1' })).text).toContain(
      'has no points yet',
    );
    const forged = { csrfToken: '', email: 'fay@example.com', points: '30' };
    expect(await browser.submit(path, forged)).toMatchObject({ status: 403 });
    const done = await browser.submit(path, { email: 'Fay@example.com', points: '30' });
    expect(done.headers.location).toBe(`${path}?notice=redeemed`);
    expect(await accountOf('fay@example.com', 70)).toMatchObject({ points: 70 });
    const log = await browser.get(`/settings/${service.workspace.id}/audit-log`);
    expect(log.text).toContain('Redeemed 30 points of fay@example.com');
  });

  test('points are redeemed once by a form that is sent twice', async () => {
    await confirm({ email: 'hugo@example.com' });
    await accountOf('hugo@example.com', 100);
    const form = { submission: 'x'.repeat(43), email: 'hugo@example.com' };
    const both = await Promise.all([1, 2].map(() => browser.submit(path, { ...form, points: '30' })));
    for (const { headers } of both) expect(headers.location).toBe(`${path}?notice=redeemed`);
    expect(await accountOf('hugo@example.com', 70)).toMatchObject({ points: 70 });
  });

  test('its scopes and events can be chosen where keys and webhooks are made', async () => {
    const keys = await browser.get(`/settings/${service.workspace.id}/live/api-keys/new`);
    expect(keys.text).toContain('value="loyalty:write"');
    const webhooks = await browser.get(`/settings/${service.workspace.id}/live/webhooks/new`);
    expect(webhooks.text).toContain('value="loyalty_account.points_earned"');
  });
});

test('mails go to the company’s own gateway', async () => {
  const { ownerEmail } = service.workspace;
  await new Browser(service.baseUrl).submit('/password-reset', { email: ownerEmail });
  await eventually(() =>
    expect(service.mails).toEqual([
      expect.objectContaining({ to: ownerEmail, text: expect.stringContaining('http') }),
    ]),
  );
});
