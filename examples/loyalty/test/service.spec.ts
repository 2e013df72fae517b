import { Controller, Get, Module } from '@nestjs/common';
import {
  BackgroundJobs,
  Clock,
  type Composition,
  createSubscription,
  dropSubscription,
  type Feature,
  Public,
  RequireScope,
} from 'gala';
import { loyalty } from '../src/loyalty';
import { otherPorts, seen } from './other-ports';
import { Browser, Client, eventually } from 'gala/testing';
import { DataSource } from 'typeorm';
import { startService } from './start';

const SCOPES = [
  'leads:read',
  'leads:write',
  'loyalty:read',
  'loyalty:write',
  'messages:write',
  'webhooks:write',
];

let service: Awaited<ReturnType<typeof startService>>;
let dataSource: DataSource;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await service.workspace.client('live', SCOPES);
  dataSource = service.app.get(DataSource, { strict: false });
}, 120_000);
afterAll(() => service.stop());

async function grant(email: string, points: number): Promise<{ id: string; path: string }> {
  await client.post('/v1/loyalty-accounts/grants', { grants: [{ email, points }] });
  const { body } = await client.get(`/v1/loyalty-accounts?email=${email}`);
  return { id: body.data[0].id, path: `/v1/loyalty-accounts/${body.data[0].id}` };
}

describe('tills', () => {
  let path: string;
  let owner: Browser;
  beforeAll(async () => {
    path = `/settings/${service.workspace.id}/live/loyalty-tills`;
    owner = await service.workspace.browser();
  });

  test('get in with the token that admins find in the settings area', async () => {
    const [token] = /till\.live\.[\w.-]+/.exec((await owner.get(path)).text)!;
    const account = await grant('kim@example.com', 700);
    const till = new Client(service.baseUrl, token);
    const receipt = { number: 'R-1042' };
    expect(await till.post(`${account.path}/redeem`, { points: 1, receipt: { number: '' } })).toMatchObject({
      status: 422,
      body: { error: { field: 'receipt.number' } },
    });
    expect(await till.post(`${account.path}/redeem`, { points: 501 })).toMatchObject({ status: 403 });
    expect(await till.post(`${account.path}/redeem`, { points: 500, receipt })).toMatchObject({
      status: 200,
      body: { points: 200 },
    });
    expect(await till.get('/v1/leads')).toMatchObject({ status: 403 });
    const forged = new Client(service.baseUrl, token.replace('.live.', '.test.'));
    expect(await forged.get('/v1/loyalty-accounts')).toMatchObject({ status: 401 });
    const log = await owner.get(`/settings/${service.workspace.id}/audit-log`);
    expect(log.text).toContain('Redeemed 500 points of kim@example.com (receipt R-1042)');
    expect(log.text).toContain('Granted 700 points to kim@example.com');
  });

  test('members neither see the page nor the way to it, but their own', async () => {
    const browser = await service.workspace.browser('member');
    const loyaltyPath = path.replace('-tills', '');
    const overview = `/settings/${service.workspace.id}`;
    expect((await owner.get(overview)).text).toContain(`href="${path}"`);
    const page = await browser.get(loyaltyPath);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(path);
    expect(await browser.get(path)).toMatchObject({ status: 403 });
  });
});

test('operators see what points are outstanding', async () => {
  await grant('lea@example.com', 3);
  const [before] = await service.metrics('gala_loyalty_points_outstanding{mode="live"}');
  await grant('lea@example.com', 4);
  const [after] = await service.metrics('gala_loyalty_points_outstanding{mode="live"}');
  expect(Number(after!.split(' ')[1]) - Number(before!.split(' ')[1])).toBe(4);
});

test('a booking that can’t be counted is counted later, holds up no other, and operators see it wait', async () => {
  await dataSource.query(
    `ALTER TABLE loyalty_accounts ADD CONSTRAINT no_mia CHECK (email <> 'mia@example.com') NOT VALID`,
  );
  const confirm = async (email: string) => {
    const { body } = await client.post('/v1/leads', { email });
    await client.patch(`/v1/leads/${body.id}`, { stage: 'confirmed' });
  };
  const countedFor = (email: string) =>
    eventually(async () => {
      const { body } = await client.get(`/v1/loyalty-accounts?email=${email}`);
      expect(body.data).not.toEqual([]);
      return body.data;
    });
  await confirm('mia@example.com');
  const failures = 'gala_subscriber_failures_total{subscriber="loyalty"} ';
  const waiting = 'gala_subscriber_events_waiting{subscriber="loyalty"} ';
  await eventually(async () => expect(await service.metrics(failures)).toHaveLength(1));
  expect(await service.metrics(waiting)).toEqual([`${waiting}1`]);
  await confirm('moe@example.com');
  expect(await countedFor('moe@example.com')).toHaveLength(1);

  await dataSource.query('ALTER TABLE loyalty_accounts DROP CONSTRAINT no_mia');
  expect(await countedFor('mia@example.com')).toEqual([expect.objectContaining({ points: 100 })]);
  expect(await service.metrics(waiting)).toEqual([`${waiting}0`]);
});

test('points that nobody touched for two years are taken back', async () => {
  const { path } = await grant('noa@example.com', 12);
  const inTwoYears = new Date(Date.now() + 2 * 366 * 24 * 3600 * 1000);
  const later = await service.another({
    overrides: [{ provide: Clock, useValue: { now: () => inTwoYears } satisfies Clock }],
  });
  later.app.get(BackgroundJobs).start();
  await eventually(async () => expect((await client.get(path)).body).toMatchObject({ points: 0 }));
  await eventually(() =>
    expect(later.mailbox.to('noa@example.com')).toEqual([
      expect.objectContaining({ text: expect.stringContaining('Your 12 points') }),
    ]),
  );
  await later.stop();
  expect((await client.get(path)).body).toMatchObject({ points: 0, updatedAt: inTwoYears.toISOString() });
  const { body } = await client.get('/v1/events?type=loyalty_account.points_expired&limit=100');
  expect(body.data).toContainEqual(
    expect.objectContaining({
      data: (await client.get(path)).body,
      previous: expect.objectContaining({ points: 12 }),
    }),
  );
});

describe('each of Gala’s ports can be another one:', () => {
  let other: Awaited<ReturnType<typeof service.another>>;
  let caller: Client;
  beforeAll(async () => {
    await service.app.get(BackgroundJobs).stop();
    other = await service.another({ overrides: otherPorts });
    other.app.get(BackgroundJobs).start();
    caller = new Client(other.baseUrl, await service.workspace.key('live', SCOPES));
  });
  afterAll(() => other.stop());

  test('UnitOfWork', async () => {
    const { path } = await grant('oli@example.com', 9);
    const before = seen.transactions;
    expect(await caller.post(`${path}/redeem`, { points: 2 })).toMatchObject({ body: { points: 7 } });
    expect(seen.transactions).toBeGreaterThan(before);
  });

  test('RateLimiter', async () => {
    const { headers } = await caller.get('/v1/loyalty-accounts');
    expect(headers['x-ratelimit-limit']).toBe('7');
  });

  test('MessageChannel', async () => {
    const lead = { email: 'pia@example.com', phone: '+34600123456' };
    const { body } = await caller.post('/v1/leads', lead);
    expect(await caller.post('/v1/messages', { leadId: body.id, text: 'Your points wait.' })).toMatchObject({
      status: 201,
    });
    await eventually(() =>
      expect(seen.messages).toEqual([
        expect.objectContaining({ phone: lead.phone, text: 'Your points wait.' }),
      ]),
    );
  });

  test('Mailer', async () => {
    const { ownerEmail } = service.workspace;
    await new Browser(other.baseUrl).submit('/password-reset', { email: ownerEmail });
    expect(seen.mails).toEqual([expect.objectContaining({ to: ownerEmail })]);
  });
});

describe('the service doesn’t start when', () => {
  const start = async (composition: Composition) => (await service.another(composition)).stop();

  test('an override has nothing to override', async () => {
    abstract class PointsExchange {}
    const overrides = [{ provide: PointsExchange, useValue: {} }];
    await expect(start({ overrides })).rejects.toThrow('no part of Gala provides PointsExchange');
  });

  test('an extension is there twice', async () => {
    const twice = { ...loyalty, migrations: [] };
    await expect(start({ extensions: [loyalty, twice] })).rejects.toThrow(
      'The scope loyalty:read is registered twice',
    );
  });

  test('a port is overridden twice', async () => {
    const clock = { now: () => new Date() };
    const overrides = [
      { provide: Clock, useValue: clock },
      { provide: Clock, useFactory: () => clock },
    ];
    await expect(start({ overrides })).rejects.toThrow(
      'Clock is overridden twice: by overrides[0] (a value) and by overrides[1] (a factory)',
    );
  });

  test('two controllers have one route, or one says twice who may call it', async () => {
    @Controller('v1/loyalty-accounts')
    @RequireScope('loyalty:read')
    class AccountsController {
      @Get(':account')
      get() {
        return {};
      }
    }
    @Controller('v1/points')
    @RequireScope('loyalty:read')
    class PointsController {
      @Get()
      @Public()
      list() {
        return [];
      }
    }
    const withController = (controller: new () => object) => {
      class MoreModule {}
      Module({ controllers: [controller] })(MoreModule);
      return { extensions: [loyalty, { module: MoreModule }] };
    };
    await expect(start(withController(AccountsController))).rejects.toThrow(
      'AccountsController.get (GET /v1/loyalty-accounts/:account) is never called, because LoyaltyAccountsController.get',
    );
    await expect(start(withController(PointsController))).rejects.toThrow(
      "@Public() on PointsController.list and @RequireScope('loyalty:read') on PointsController",
    );
  });

  test('a scope that a route requires is registered by nobody', async () => {
    await expect(start({ extensions: [{ ...loyalty, scopes: {} }] })).rejects.toThrow(
      'requires the scope loyalty:read, which is not registered',
    );
  });

  test('a route doesn’t say who may call it', async () => {
    @Controller('v1/points')
    class PointsController {
      @Get()
      list() {
        return [];
      }
    }
    @Module({ controllers: [PointsController] })
    class PointsModule {}
    const points: Feature = { module: PointsModule };
    await expect(start({ extensions: [loyalty, points] })).rejects.toThrow(
      'PointsController.list must say who may call it',
    );
  });

  test('its subscriber has no subscription', async () => {
    const runner = dataSource.createQueryRunner();
    await dropSubscription(runner, 'loyalty');
    await expect(start({})).rejects.toThrow('The event subscriber loyalty has no subscription');
    await createSubscription(runner, 'loyalty', ['lead.stage_changed']);
    await runner.release();
    await start({});
  });
});
