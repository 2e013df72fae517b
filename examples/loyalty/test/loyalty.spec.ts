import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Browser, OWNER, startService } from './start';

type Service = Awaited<ReturnType<typeof startService>>;
type Client = Awaited<ReturnType<Service['client']>>;

const SCOPES = ['leads:read', 'leads:write', 'loyalty:read', 'loyalty:write', 'webhooks:write'];

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await service.client('live', SCOPES);
}, 120_000);
afterAll(() => service.stop());

/** A lead whose event is confirmed, and what its client then has. */
async function confirm(lead: { email: string; guests?: number }): Promise<string> {
  const { body } = await client('POST', '/v1/leads', lead);
  await client('PATCH', `/v1/leads/${body.id}`, { stage: 'confirmed' });
  return body.id;
}

/** Events reach subscribers soon after their transaction: asks until the answer is as it should be. */
async function eventually<Value>(
  ask: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const value = await ask();
    if (isThere(value) || Date.now() > giveUpAt) return value;
    await sleep(50);
  }
}

const accountOf = (email: string, points: number) =>
  eventually(
    async () => {
      const { body } = await client('GET', '/v1/loyalty-accounts?limit=100');
      return body.data.find((account: { email: string }) => account.email === email);
    },
    (account) => account?.points === points,
  );

test('a client whose event is confirmed earns points, once for each lead', async () => {
  const id = await confirm({ email: 'Ana@example.com', guests: 120 });
  const account = await accountOf('ana@example.com', 1300);
  expect(account).toMatchObject({
    id: expect.stringMatching(/^loy_/),
    email: 'ana@example.com',
    points: 1300,
  });
  expect((await client('GET', `/v1/loyalty-accounts/${account.id}`)).body).toEqual(account);

  await client('PATCH', `/v1/leads/${id}`, { stage: 'negotiation' });
  await client('PATCH', `/v1/leads/${id}`, { stage: 'confirmed' });
  await confirm({ email: 'ana@example.com' });
  expect(await accountOf('ana@example.com', 1400)).toMatchObject({ points: 1400 });
});

test('points are redeemed, as many as there are', async () => {
  await confirm({ email: 'ben@example.com' });
  const { id } = await accountOf('ben@example.com', 100);
  const redeem = (points: unknown) => client('POST', `/v1/loyalty-accounts/${id}/redeem`, { points });
  expect(await redeem(60)).toMatchObject({ status: 200, body: { points: 40 } });
  expect(await redeem(41)).toMatchObject({ status: 422, body: { error: { field: 'points' } } });
  expect(await redeem('40')).toMatchObject({ status: 422, body: { error: { field: 'points' } } });
  const both = await Promise.all([redeem(40), redeem(40)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('its scopes open its routes, and no others do', async () => {
  const stranger = await service.client(
    'live',
    SCOPES.filter((scope) => !scope.startsWith('loyalty')),
  );
  expect(await stranger('GET', '/v1/loyalty-accounts')).toMatchObject({ status: 403 });
  const reader = await service.client('live', ['loyalty:read']);
  expect(await reader('GET', '/v1/loyalty-accounts')).toMatchObject({ status: 200 });
  expect(
    await reader('POST', '/v1/loyalty-accounts/loy_01h455vb4pex5vsknk084sn02q/redeem', { points: 1 }),
  ).toMatchObject({
    status: 403,
  });
});

test('what is earned in the sandbox stays there', async () => {
  const sandbox = await service.client('test', SCOPES);
  const { body } = await sandbox('POST', '/v1/leads', { email: 'cleo@example.com', stage: 'contacted' });
  await sandbox('PATCH', `/v1/leads/${body.id}`, { stage: 'confirmed' });
  const inSandbox = await eventually(
    () => sandbox('GET', '/v1/loyalty-accounts'),
    ({ body: { data } }) => data.length === 1,
  );
  expect(inSandbox.body.data).toEqual([expect.objectContaining({ email: 'cleo@example.com' })]);
  const live = await client('GET', '/v1/loyalty-accounts?limit=100');
  expect(live.text).not.toContain('cleo@example.com');
});

test('its events are read, and endpoints subscribe to them', async () => {
  await confirm({ email: 'dora@example.com' });
  await accountOf('dora@example.com', 100);
  const { body } = await client('GET', '/v1/events?type=loyalty_account.points_earned');
  expect(body.data[0]).toMatchObject({
    type: 'loyalty_account.points_earned',
    data: { email: 'dora@example.com', points: 100 },
    previous: { points: 0 },
  });
  const subscribe = (events: string[]): Promise<Answer> =>
    client('POST', '/v1/webhooks', { url: 'https://hooks.example.com/gala', events });
  expect(await subscribe(['loyalty_account.*', 'loyalty_account.points_redeemed'])).toMatchObject({
    status: 201,
  });
  expect(await subscribe(['loyalty_account.points_lost'])).toMatchObject({ status: 422 });
});

test('the API reference tells of its routes', async () => {
  const { body } = await client('GET', '/openapi.json');
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(['/v1/loyalty-accounts', '/v1/loyalty-accounts/{id}/redeem']),
  );
});

describe('in the settings area', () => {
  let browser: Browser;
  let path: string;
  beforeAll(async () => {
    browser = new Browser(service.baseUrl);
    expect(await browser.submit('/sign-in', OWNER)).toMatchObject({ status: 303 });
    path = `/settings/${service.workspaceId}/live/loyalty`;
  });

  test('a page of its own stands among the others', async () => {
    const overview = await browser.get(`/settings/${service.workspaceId}`);
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
    const done = await browser.submit(path, { email: 'Fay@example.com', points: '30' });
    expect(done.headers.get('location')).toBe(`${path}?notice=redeemed`);
    expect(await accountOf('fay@example.com', 70)).toMatchObject({ points: 70 });
    const log = await browser.get(`/settings/${service.workspaceId}/audit-log`);
    expect(log.text).toContain('Redeemed 30 points of fay@example.com');
  });

  test('its scopes and events can be chosen where keys and webhooks are made', async () => {
    const keys = await browser.get(`/settings/${service.workspaceId}/live/api-keys/new`);
    expect(keys.text).toContain('value="loyalty:write"');
    const webhooks = await browser.get(`/settings/${service.workspaceId}/live/webhooks/new`);
    expect(webhooks.text).toContain('value="loyalty_account.points_earned"');
  });
});

test('mails go to the company’s own gateway', async () => {
  await new Browser(service.baseUrl).submit('/password-reset', { email: OWNER.email });
  const mails = await eventually(
    () => Promise.resolve(service.mails),
    ({ length }) => length > 0,
  );
  expect(mails).toEqual([
    expect.objectContaining({ to: OWNER.email, text: expect.stringContaining('http') }),
  ]);
});
