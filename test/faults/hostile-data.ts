import { toUuid, type WorkspaceId } from '../../src/kernel/ids';
import { draft } from '../proposals/support';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';

/** As the API would, of which that many take a while. */
const EVENTS = `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at,
  time_zone, space_ids, status, sequence, created_at, updated_at)`;

/** Live events around today, with descriptions that no compression makes shorter by much. */
export async function planLongEvents(
  databaseUrl: string,
  workspace: WorkspaceId,
  { count, characters }: { count: number; characters: number },
): Promise<void> {
  await sql(
    databaseUrl,
    `${EVENTS} SELECT $1, 'live', gen_random_uuid(), 'event', 'Event ' || n, text, at, at + interval '1 hour', 'UTC', '{}',
       'confirmed', 0, now(), now()
     FROM generate_series(1, $2::int) AS n, LATERAL (
       SELECT now() - interval '200 days' + n * interval '1 hour' AS at,
         (SELECT left(string_agg(md5(n || ' ' || part), ', '), $3) FROM generate_series(1, $3 / 34 + 1) AS part) AS text
     ) AS made`,
    [toUuid(workspace), count, characters],
  );
}

/** Live holds over the year 2027, each of some of the spaces. */
export async function planHolds(
  databaseUrl: string,
  workspace: WorkspaceId,
  { count, spacesEach, spaces }: { count: number; spacesEach: number; spaces: number },
): Promise<void> {
  await sql(
    databaseUrl,
    `INSERT INTO spaces (workspace_id, mode, id, name, setup_minutes, clearing_minutes, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'Space ' || n, 0, 0, now(), now() FROM generate_series(1, $2::int) AS n`,
    [toUuid(workspace), spaces],
  );
  await sql(
    databaseUrl,
    `${EVENTS} SELECT $1, 'live', gen_random_uuid(), 'hold', 'Hold ' || n, NULL, at, at + interval '1 hour', 'UTC',
       ARRAY(SELECT ids[(n * 7 + place) % $4 + 1] FROM generate_series(1, $3::int) AS place), 'confirmed', 0, now(), now()
     FROM generate_series(1, $2::int) AS n,
       LATERAL (SELECT timestamptz '2027-01-02 12:00Z' + n % 360 * interval '1 day' AS at) AS made,
       (SELECT array_agg(id) AS ids FROM spaces WHERE workspace_id = $1) AS all_spaces`,
    [toUuid(workspace), count, spacesEach, spaces],
  );
}

/** What makes a proposal as large as one can be. */
export const LARGE_LINE_ITEMS = Array.from({ length: 100 }, () => ({
  description: '€'.repeat(500),
  unit: 'flat',
  unitAmount: 1,
}));

/** Large proposals, in a database that holds no other: one page of a list is as large as a page can be. */
export async function fillPageOfProposals(databaseUrl: string, client: Client): Promise<void> {
  await draft(client, { lineItems: LARGE_LINE_ITEMS });
  const columns = await sql<{ name: string }>(
    databaseUrl,
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'proposals'`,
  );
  const changed: Record<string, string> = { id: 'gen_random_uuid()', number: 'number + 1000000 + n' };
  const names = columns.map(({ name }) => name);
  await sql(
    databaseUrl,
    `INSERT INTO proposals (${names.join(', ')})
     SELECT ${names.map((name) => changed[name] ?? name).join(', ')} FROM proposals, generate_series(1, 120) AS n`,
  );
}
