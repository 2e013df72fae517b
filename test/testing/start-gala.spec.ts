import { Controller, Get, Injectable, Module } from '@nestjs/common';
import {
  Caller,
  Clock,
  createSubscription,
  dropSubscription,
  EventSubscribers,
  type Feature,
  type Mail,
  Mailer,
  type Principal,
  RequireScope,
} from 'gala';
import { Browser, eventually, startGala, type TestGala, type TestWorkspace } from 'gala/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { sql } from '../support/sql';

const heard: string[] = [];

@Controller('v1/tables')
class TablesController {
  constructor(private readonly clock: Clock) {}

  @Get()
  @RequireScope('tables:read')
  list(@Caller() { mode }: Principal) {
    return { mode, now: this.clock.now() };
  }
}

@Injectable()
class Listener {
  constructor(subscribers: EventSubscribers) {
    subscribers.add({
      name: 'tables',
      handle: ({ data }) => Promise.resolve(void heard.push((data as { email: string }).email)),
    });
  }
}

@Module({ controllers: [TablesController], providers: [Listener] })
class TablesModule {}

class Tables1900000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE tables_seats (count int NOT NULL)');
    await createSubscription(runner, 'tables', ['lead.created']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSubscription(runner, 'tables');
    await runner.query('DROP TABLE tables_seats');
  }
}

const tables: Feature = {
  module: TablesModule,
  migrations: [Tables1900000000001],
  scopes: { 'tables:read': 'List tables' },
};

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala({ extensions: [tables] });
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());

describe('clients', () => {
  test('have the mode and scopes that they are made with', async () => {
    const sandbox = await workspace.client('test', ['tables:read']);
    expect(await sandbox.get('/v1/tables')).toMatchObject({ status: 200, body: { mode: 'test' } });
    expect(await sandbox.get('/v1/leads')).toMatchObject({ status: 403 });
    expect(await gala.anonymous.get('/v1/tables')).toMatchObject({ status: 401 });
  });

  test('have every scope by default, the extension’s included, on live data', async () => {
    const client = await workspace.client();
    expect(await client.get('/v1/tables')).toMatchObject({ status: 200, body: { mode: 'live' } });
    expect(await client.get('/v1/leads')).toMatchObject({ status: 200 });
  });

  test('of one workspace don’t reach another', async () => {
    const { body } = await (await workspace.client()).post('/v1/leads', { email: 'ana@example.com' });
    const stranger = await (await gala.createWorkspace('Other')).client();
    expect(await stranger.get(`/v1/leads/${body.id}`)).toMatchObject({ status: 404 });
  });
});

test('browsers are signed in as the owner or as a member of that role', async () => {
  const members = `/settings/${workspace.id}/members`;
  const owner = await workspace.browser();
  expect((await owner.get(members)).text).toContain(workspace.ownerEmail);
  const keys = `/settings/${workspace.id}/live/api-keys`;
  const invitation = { email: 'new@example.com', role: 'member' };
  expect(await owner.submit(`${members}/invitations`, invitation, { on: members })).toMatchObject({
    status: 201,
  });
  expect(await (await workspace.browser('admin')).get(keys)).toMatchObject({ status: 200 });
  expect(await (await workspace.browser('member')).get(keys)).toMatchObject({ status: 403 });
  expect(await new Browser(gala.baseUrl).get(members)).toMatchObject({ status: 303 });
});

test('a form without its token is refused', async () => {
  const owner = await workspace.browser();
  const path = `/settings/${workspace.id}/workspace`;
  expect(await owner.post(path, { name: 'Renamed' })).toMatchObject({ status: 403 });
});

test('mails are caught', async () => {
  const { ownerEmail } = workspace;
  await new Browser(gala.baseUrl).submit('/password-reset', { email: ownerEmail });
  await eventually(() => expect(gala.mailbox.to(ownerEmail)).toHaveLength(1));
  const browser = new Browser(gala.baseUrl);
  expect(await browser.get(gala.mailbox.linkTo(ownerEmail))).toMatchObject({ status: 200 });
  expect(() => gala.mailbox.linkTo('nobody@example.com')).toThrow('No mail to nobody@example.com');
});

test('the clock runs, and a test advances it', async () => {
  const client = await workspace.client();
  const now = async () => Date.parse((await client.get('/v1/tables')).body.now);
  const before = await now();
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000);
  gala.clock.advance(3600);
  expect((await now()) - before).toBeGreaterThanOrEqual(3600_000);
});

test('subscribers hear of events', async () => {
  await (await workspace.client()).post('/v1/leads', { email: 'heard@example.com' });
  await eventually(() => expect(heard).toContain('heard@example.com'));
});

test('a second instance shares the database, and leaves background jobs to the first when it is told to', async () => {
  const startsAt = '2030-01-15T09:30:00.000Z';
  const { databaseUrl } = gala;
  const second = await startGala({ extensions: [tables], databaseUrl, startsAt, background: false });
  const client = await workspace.client();
  expect(await second.anonymous.get('/v1/tables')).toMatchObject({ status: 401 });
  const there = await second.anonymous.get('/v1/tables', {
    headers: { Authorization: `Bearer ${client.key}` },
  });
  expect(there).toMatchObject({ status: 200, body: { now: startsAt } });
  await second.stop();
  expect(await client.get('/v1/tables')).toMatchObject({ status: 200 });
});

test('the composition’s own ports win', async () => {
  const posted: Mail[] = [];
  class OwnMailer extends Mailer {
    readonly canSend = true;
    post(mail: Mail): void {
      posted.push(mail);
    }
  }
  const at = new Date('2031-01-15T09:30:00.000Z');
  const overrides = [
    { provide: Mailer, useClass: OwnMailer },
    { provide: Clock, useValue: { now: () => at } satisfies Clock },
  ];
  const other = await startGala({ extensions: [tables], overrides });
  const { ownerEmail, ...theirs } = await other.createWorkspace();
  expect(theirs.id).toMatch(/^ws_/);
  await new Browser(other.baseUrl).submit('/password-reset', { email: ownerEmail });
  await eventually(() => expect(posted).toEqual([expect.objectContaining({ to: ownerEmail })]));
  expect(other.mailbox.mails).toEqual([]);
  await other.stop();
});

test('configuration and the log are the test’s', async () => {
  const limits = { reads: 1, writes: 1, address: 100 };
  const limited = await startGala({ configuration: { rateLimits: limits } });
  const client = await (await limited.createWorkspace()).client();
  expect(await client.get('/v1/leads')).toMatchObject({ status: 200 });
  expect(await client.get('/v1/leads')).toMatchObject({ status: 429 });
  expect(limited.logged.join()).toContain('/v1/leads');
  await limited.stop();
});

describe('databases', () => {
  const server = process.env.GALA_TEST_POSTGRES!;
  const databases = async () => {
    const rows = await sql<{ name: string }>(server, 'SELECT datname AS name FROM pg_database');
    return rows.map(({ name }) => name);
  };
  const nameOf = (url: string) => new URL(url).pathname.slice(1);

  test('go when the service stops', async () => {
    const other = await startGala({ extensions: [tables] });
    expect(await databases()).toContain(nameOf(other.databaseUrl));
    await other.stop();
    expect(await databases()).not.toContain(nameOf(other.databaseUrl));
  });

  test('go when the service doesn’t start', async () => {
    let url = '';
    const refuse = (dataSource: DataSource): Clock => {
      url = (dataSource.options as { url: string }).url;
      throw new Error('There is no clock.');
    };
    const overrides = [{ provide: Clock, useFactory: refuse, inject: [DataSource] }];
    await expect(startGala({ overrides })).rejects.toThrow('There is no clock.');
    expect(await databases()).not.toContain(nameOf(url));
  });
});

test('without a server, the services of a process share an embedded one, which stops with the last', async () => {
  const server = process.env.GALA_TEST_POSTGRES;
  delete process.env.GALA_TEST_POSTGRES;
  try {
    const [one, two] = await Promise.all([startGala(), startGala({ extensions: [tables] })]);
    expect(new URL(one.databaseUrl).host).toBe(new URL(two.databaseUrl).host);
    expect(new URL(one.databaseUrl).host).not.toBe(new URL(gala.databaseUrl).host);
    await one.stop();
    expect(await (await (await two.createWorkspace()).client()).get('/v1/tables')).toMatchObject({
      status: 200,
    });
    await two.stop();
    await expect(sql(two.databaseUrl, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  } finally {
    process.env.GALA_TEST_POSTGRES = server;
  }
});
