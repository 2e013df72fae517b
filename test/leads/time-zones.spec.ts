import { Client } from '../support/http-client';
import { createLead, list, namesIn } from '../support/leads';
import { makeKey } from '../support/api-keys';
import { compileService, type ServiceProcess, startServiceProcess } from '../support/service-process';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(60_000);

let compiled: ReturnType<typeof compileService>;
beforeAll(() => {
  compiled = compileService();
});
afterAll(() => compiled.remove());

describe.each([
  { server: 'America/Los_Angeles', database: 'Pacific/Kiritimati', dateStyle: 'SQL, DMY' },
  { server: 'Pacific/Kiritimati', database: 'America/Los_Angeles', dateStyle: 'German' },
  { server: 'Asia/Kathmandu', database: 'Asia/Kathmandu', dateStyle: 'Postgres, MDY' },
])(
  'the service in $server, the database in $database with dates in $dateStyle',
  ({ server, database, dateStyle }) => {
    let gala: TestGala;
    let service: ServiceProcess;
    let client: Client;
    beforeAll(async () => {
      gala = await startGala();
      await onConnection(gala.databaseUrl, async (connection) => {
        const { rows } = await connection.query('SELECT current_database() AS name');
        await connection.query(`ALTER DATABASE ${rows[0].name} SET TimeZone = '${database}'`);
        await connection.query(
          `ALTER ROLE CURRENT_USER IN DATABASE ${rows[0].name} SET DateStyle = '${dateStyle}'`,
        );
      });
      expect((await sql(gala.databaseUrl, 'SHOW TimeZone'))[0]).toEqual({ TimeZone: database });
      service = await startServiceProcess(compiled.directory, {
        TZ: server,
        PGTZ: database,
        PGDATESTYLE: dateStyle,
        DATABASE_URL: gala.databaseUrl,
      });
      const workspace = await gala.createWorkspace();
      client = new Client(service.baseUrl, await workspace.key('live'));
    });
    afterAll(async () => {
      await service.stop();
      await gala.stop();
    });

    test('a calendar date is the same text everywhere', async () => {
      for (const eventDate of ['2027-06-12', '2027-03-14', '1900-01-01', '9999-12-31', '2028-02-29']) {
        const lead = await createLead(client, { name: eventDate, eventDate });
        expect(lead.eventDate).toBe(eventDate);
        expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
        expect((await list(client, { q: eventDate })).body.data).toEqual([lead]);
        expect((await client.patch(`/v1/leads/${lead.id}`, { guests: 5 })).body.eventDate).toBe(eventDate);
        expect((await client.delete(`/v1/leads/${lead.id}`)).body.eventDate).toBe(eventDate);
      }
      const stored = await sql(
        gala.databaseUrl,
        `SELECT to_char(event_date, 'YYYY-MM-DD') AS day FROM leads ORDER BY 1`,
      );
      expect(stored.map(({ day }) => day)).toEqual([
        '1900-01-01',
        '2027-03-14',
        '2027-06-12',
        '2028-02-29',
        '9999-12-31',
      ]);
      const told = await sql(
        gala.databaseUrl,
        `SELECT DISTINCT data ->> 'eventDate' AS day, data ->> 'name' AS name FROM events WHERE type LIKE 'lead.%'`,
      );
      for (const { day, name } of told) expect(day).toBe(name);
    });

    test('days of filters are days, walked in their order', async () => {
      for (const eventDate of ['2029-06-11', '2029-06-12', '2029-06-13'])
        await createLead(client, { name: eventDate, eventDate });
      const day = { eventDateFrom: '2029-06-12', eventDateTo: '2029-06-12' };
      expect(await namesIn(client, day)).toEqual(['2029-06-12']);
      const rest = { sort: 'eventDate', eventDateFrom: '2029-06-11' };
      const { nextCursor } = (await list(client, { ...rest, limit: 1 })).body.pagination;
      expect(await namesIn(client, { ...rest, cursor: nextCursor })).toEqual(['2029-06-12', '2029-06-13']);
    });

    test('an instant is the same instant everywhere, to the millisecond', async () => {
      const before = Date.now();
      const lead = await createLead(client, { name: 'instant' });
      expect(Date.parse(lead.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(lead.createdAt)).toBeLessThanOrEqual(Date.now());
      expect((await client.get(`/v1/leads/${lead.id}`)).body.createdAt).toBe(lead.createdAt);
      const [row] = await sql(
        gala.databaseUrl,
        `SELECT extract(epoch FROM created_at) * 1000 AS lead, (SELECT extract(epoch FROM occurred_at) * 1000 FROM events
         WHERE data ->> 'id' = $1) AS event FROM leads WHERE name = 'instant'`,
        [lead.id],
      );
      expect([Number(row!.lead), Number(row!.event)]).toEqual([
        Date.parse(lead.createdAt),
        Date.parse(lead.createdAt),
      ]);
      const shifted = (milliseconds: number) =>
        new Date(Date.parse(lead.createdAt) + milliseconds).toISOString();
      expect(
        await namesIn(client, { q: 'instant', createdAfter: shifted(-1), createdBefore: shifted(1) }),
      ).toEqual(['instant']);
      expect(await namesIn(client, { q: 'instant', createdAfter: shifted(0) })).toEqual([]);
      expect(await namesIn(client, { q: 'instant', createdBefore: shifted(0) })).toEqual([]);
    });

    test.each([
      '2027-03-14T10:30:00.001Z',
      '2027-11-07T08:30:00.000Z',
      '2027-11-07T09:30:00.000Z',
      '2029-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ])('%s is kept, also where local clocks jump or the year ends', async (expiresAt) => {
      const { view, client: made } = await makeKey(client, { expiresAt });
      expect(view.expiresAt).toBe(expiresAt);
      expect((await client.get(`/v1/api-keys/${view.id}`)).body.expiresAt).toBe(expiresAt);
      expect((await made.get('/v1/me')).status).toBe(200);
    });
  },
);
