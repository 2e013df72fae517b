import { plan, WEDDING } from '../support/calendar';
import type { Answer, Client } from '../support/http-client';
import { expectRefusal } from '../support/expect-refusal';
import { sql } from '../support/sql';
import type { TestGala } from '../support/start-gala';

/** That many book one space for one day at once: one gets it, and every other one is told who. */
export async function raceForOneDay(client: Client, spaceId: string, count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.post('/v1/calendar-events', { ...WEDDING, title: `Couple ${index}`, spaceId }),
    ),
  );
  const won = answers.filter(({ status }) => status === 201);
  expect(won).toHaveLength(1);
  for (const answer of answers.filter((each) => each !== won[0])) expectTaken(answer, won[0]!.body.id);
}

/** Refused because of that event, if one is named. */
export function expectTaken(answer: Answer, byId?: string, field = 'spaceId'): void {
  expectRefusal(answer, 422, { field });
  if (byId) expect(answer.body.error.details[0].message).toContain(byId);
}

/** By the events alone, set-up and clearing aside: how many pairs have one space at one time. */
export async function countOverlaps({ databaseUrl }: TestGala): Promise<number> {
  const [row] = await sql<{ count: number }>(
    databaseUrl,
    `WITH taken AS (
       SELECT workspace_id, mode, id, starts_at, ends_at, unnest(space_ids) AS space_id FROM calendar_events
       WHERE status = 'confirmed' AND type IN ('event', 'block'))
     SELECT count(*)::int AS count FROM taken a JOIN taken b USING (workspace_id, mode, space_id)
     WHERE a.id < b.id AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  );
  return row!.count;
}

/** Plans, moves, cancels and restores at once, in several spaces: no answer but 200, 201 and a 422 about spaces. */
export async function raceOfEveryKind(client: Client, spaceIds: string[], rounds: number): Promise<void> {
  const events = await Promise.all(Array.from({ length: 6 }, () => plan(client)));
  const random = (count: number) => Math.floor(Math.random() * count);
  const some = () => [...spaceIds].sort(() => Math.random() - 0.5).slice(0, 1 + random(spaceIds.length));
  const answers = await Promise.all(
    Array.from({ length: rounds }, () => {
      const path = `/v1/calendar-events/${events[random(events.length)]!.id}`;
      switch (random(5)) {
        case 0:
          return client.post('/v1/calendar-events', {
            ...WEDDING,
            ...at(1 + random(5), { spaceIds: some() }),
          });
        case 1:
          return client.delete(path);
        case 2:
          return client.patch(path, { status: 'confirmed' });
        default:
          return client.patch(path, { ...at(1 + random(5), {}), spaceIds: some(), status: 'confirmed' });
      }
    }),
  );
  for (const answer of answers) {
    if (answer.status === 422) expect(answer.body.error.field).toMatch(/^spaceIds?$/);
    else expect([200, 201]).toContain(answer.status);
  }
}

/** An evening of June. */
function at<Fields extends object>(day: number, fields: Fields) {
  const date = `2027-06-${String(day).padStart(2, '0')}`;
  return { startsAt: `${date}T16:00:00Z`, endsAt: `${date}T23:00:00Z`, ...fields };
}
