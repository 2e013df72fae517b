import { toUuid, type WorkspaceId } from '../../src/kernel/ids';
import { addDays, DAY_MS, startOfDay } from '../../src/kernel/time-zone';
import { plan, titlesIn } from '../support/calendar';
import { sql } from '../support/sql';
import type { TestGala } from '../support/start-gala';

export const ZONES = Intl.supportedValuesOf('timeZone');

/** An empty calendar, whose days are that zone's. */
export async function beginIn({ databaseUrl }: TestGala, id: WorkspaceId, zone: string): Promise<void> {
  await sql(
    databaseUrl,
    `WITH emptied AS (DELETE FROM calendar_events WHERE workspace_id = $2)
     UPDATE workspaces SET time_zone = $1 WHERE id = $2`,
    [zone, toUuid(id)],
  );
}

/** A day on which the clocks of a zone change, if they do in that year; otherwise any. */
export function interestingDay(zone: string, year: number): string {
  const start = (day: string) => startOfDay(zone, day).getTime();
  let [day, begins] = [`${year}-01-01`, start(`${year}-01-01`)];
  for (let week = 0; week < 52; week++) {
    const [next, ends] = [addDays(day, 7), start(addDays(day, 7))];
    if (ends - begins !== 7 * DAY_MS) {
      const days = [0, 1, 2, 3, 4, 5, 6].map((count) => addDays(day, count));
      return days.find((each) => start(addDays(each, 1)) - start(each) !== DAY_MS)!;
    }
    [day, begins] = [next, ends];
  }
  return `${year}-02-28`;
}

/** Plans a whole day in each of the zones, on an interesting day: it comes out as it went in, and is on that day alone. */
export async function checkWholeDays(gala: TestGala, zones: readonly string[]): Promise<void> {
  const left = [...zones];
  let seen = 0;
  const checkSome = async () => {
    const workspace = await gala.createWorkspace();
    const client = await workspace.client();
    for (let zone = left.pop(); zone; zone = left.pop()) {
      await beginIn(gala, workspace.id, zone);
      const day = interestingDay(zone, 2027);
      const [before, after] = [addDays(day, -1), addDays(day, 1)];
      const planned = await plan(client, { title: zone, startsAt: day, endsAt: after });
      expect(planned).toMatchObject({ startsAt: day, endsAt: after, timeZone: zone, allDay: true });
      const days = await Promise.all([before, day, after].map((each) => titlesIn(client, each, each)));
      expect([zone, ...days]).toEqual([zone, [], [zone], []]);
      seen++;
    }
  };
  await Promise.all([checkSome(), checkSome(), checkSome(), checkSome()]);
  expect(seen).toBe(zones.length);
}

/** Of zones whose clocks go alike in that year one alone. */
export function unlikeZones(year: number): string[] {
  const byHabit = new Map<string, string>();
  for (const zone of ZONES) {
    const day = interestingDay(zone, year);
    const habit = [day, startOfDay(zone, day).getTime(), startOfDay(zone, addDays(day, 1)).getTime()];
    byHabit.set(habit.join(), zone);
  }
  return [...byHabit.values()];
}
