import fc from 'fast-check';
import { addDays, dayIn, startOfDay } from '../../src/kernel/time-zone';
import { type EventBody, listEvents, plan, titlesIn, WEDDING } from '../support/calendar';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { beginIn, checkWholeDays, interestingDay, unlikeZones, ZONES } from './zone-days';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const beginInZone = (zone: string) => beginIn(gala, workspace.id, zone);

test('whole days come out as they went in, and are on their days alone: a day when clocks change, in one of each kind of zone', async () => {
  const zones = unlikeZones(2027);
  expect(zones.length).toBeGreaterThan(40);
  await checkWholeDays(gala, zones);
});

test('instants come out as they went in, and are on the days that they are on: any zone and time', async () => {
  const times = fc.date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  const aroundAChange = fc
    .tuple(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 2000, max: 2037 }),
      fc.integer({ min: -120, max: 1560 }),
    )
    .map(([zone, year, minutes]) => ({
      zone,
      start: new Date(startOfDay(zone, interestingDay(zone, year)).getTime() + minutes * 60_000),
    }));
  const anywhere = fc.record({ zone: fc.constantFrom(...ZONES), start: times });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(aroundAChange, anywhere),
      fc.integer({ min: 1, max: 3 * 86_400_000 }),
      async ({ zone, start }, length) => {
        await beginInZone(zone);
        const end = new Date(start.getTime() + length);
        const planned = await plan(client, { startsAt: start.toISOString(), endsAt: end.toISOString() });
        expect(planned).toMatchObject({
          startsAt: start.toISOString(),
          endsAt: end.toISOString(),
          timeZone: zone,
        });
        const first = dayIn(zone, start);
        const last = dayIn(zone, new Date(end.getTime() - 1));
        for (const [day, isOn] of [
          [first, true],
          [last, true],
          [addDays(first, -1), false],
          [addDays(last, 1), false],
        ] as const) {
          const found = (await titlesIn(client, day, day)).length === 1;
          // A day that was left out is no day to be on.
          const exists = startOfDay(zone, addDays(day, 1)) > startOfDay(zone, day);
          expect([zone, day, found]).toEqual([zone, day, isOn && exists]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('an offset says which of two equal local times is meant', async () => {
  await beginInZone('Europe/Madrid');
  const first = await plan(client, {
    startsAt: '2027-10-31T02:30:00+02:00',
    endsAt: '2027-10-31T02:30:00+01:00',
  });
  expect(first).toMatchObject({ startsAt: '2027-10-31T00:30:00.000Z', endsAt: '2027-10-31T01:30:00.000Z' });
});

test('the zones of server and database change nothing', async () => {
  const former = process.env.TZ;
  for (const [server, database] of [
    ['America/Los_Angeles', 'Pacific/Kiritimati'],
    ['Pacific/Kiritimati', 'America/Los_Angeles'],
  ]) {
    process.env.TZ = server;
    await sql(gala.databaseUrl, `ALTER ROLE CURRENT_USER SET timezone TO '${database}'`);
    const other = await startGala({ databaseUrl: gala.databaseUrl });
    try {
      await beginInZone('Europe/Madrid');
      const elsewhere = new Client(other.baseUrl, await workspace.key('live'));
      const days = await plan(elsewhere, { title: 'Days', startsAt: '2027-06-12', endsAt: '2027-06-13' });
      const time = await plan(elsewhere, { title: 'Time' });
      expect(days).toMatchObject({ startsAt: '2027-06-12', endsAt: '2027-06-13' });
      expect(Date.parse(time.startsAt)).toBe(Date.parse(WEDDING.startsAt));
      const { body } = await listEvents(elsewhere, { from: '2027-06-12', to: '2027-06-12' });
      expect(body.data).toEqual([days, time] satisfies EventBody[]);
    } finally {
      await other.stop();
      await sql(gala.databaseUrl, 'ALTER ROLE CURRENT_USER RESET timezone');
      if (former === undefined) delete process.env.TZ;
      else process.env.TZ = former;
    }
  }
});
