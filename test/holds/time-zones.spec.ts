import { Clock } from '../../src/kernel/clock';
import { addDays, startOfDay } from '../../src/kernel/time-zone';
import { beginIn, interestingDay } from '../calendar/zone-days';
import { createSpace } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import { startGala, type TestGala } from '../support/start-gala';
import { get, place, tryPlace } from './support';

/** Their clocks change at different hours: by an hour, at midnight, by half an hour, and in the southern autumn. */
const ZONES: [zone: string, year: number][] = [
  ['America/New_York', 2027],
  ['Asia/Beirut', 2028],
  ['Australia/Lord_Howe', 2029],
  ['America/Santiago', 2030],
];

const clock = new FakeClock('2027-01-01T00:00:00.000Z');
let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());

function setClock(at: number): void {
  clock.advance((at - clock.now().getTime()) / 1000);
}

test.each(ZONES)('a hold ends with the day on which the clocks of %s change in %i', async (zone, year) => {
  const workspace = await gala.createWorkspace();
  await beginIn(gala, workspace.id, zone);
  const client = await workspace.client();
  const { id: spaceId } = await createSpace(client);
  const day = interestingDay(zone, year);
  const [next, after] = [addDays(day, 1), addDays(day, 2)];
  const begins = (each: string) => startOfDay(zone, each).getTime();
  setClock(begins(addDays(day, -1)));

  const onDay = await place(client, { spaceId, startsAt: day, endsAt: next });
  const until = await place(client, { spaceId, startsAt: next, endsAt: after, expiresAt: day });
  expect(onDay).toMatchObject({ rank: 1, allDay: true, startsAt: day, endsAt: next, timeZone: zone });
  expect(onDay.expiresAt).toBe(new Date(begins(day)).toISOString());
  expect(until).toMatchObject({ rank: 1, expiresAt: new Date(begins(next)).toISOString() });
  const { days } = (await client.get(`/v1/availability?from=${addDays(day, -1)}&to=${next}`)).body;
  expect(days.map(({ spaces: [space] }: any) => space.holdIds)).toEqual([[], [onDay.id], [until.id]]);

  setClock(begins(day) - 1);
  expect((await get(client, onDay)).status).toBe('active');
  setClock(begins(day));
  expect(await get(client, onDay)).toMatchObject({ status: 'expired', endedAt: onDay.expiresAt });
  expect((await tryPlace(client, { spaceId, startsAt: day, endsAt: next })).body.error.field).toBe(
    'startsAt',
  );

  setClock(begins(next) - 1);
  expect((await get(client, until)).status).toBe('active');
  setClock(begins(next));
  expect(await get(client, until)).toMatchObject({ status: 'expired', endedAt: until.expiresAt });
});
