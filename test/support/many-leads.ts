import type { LeadList } from '../../src/modules/leads/infrastructure/word-counts/word-counts';
import { sql } from './sql';

/** One in ten archived; "ana" in every third; a digit and a letter beside each other in a few. */
export async function insertLeads(databaseUrl: string, [workspaceId]: LeadList, size: number): Promise<void> {
  await sql(
    databaseUrl,
    `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), name, email, NULL, NULL, NULL, NULL, 'new_enquiry', '{}',
       CASE WHEN n % 10 = 0 THEN now() END, timestamptz '2026-01-01' + n * interval '1 minute', now(), lower(name || E'\\n' || email)
     FROM (SELECT n, (ARRAY['Ana', 'Bo', '山田'])[1 + n % 3] || ' ' || chr(97 + n / 7 % 26) || chr(97 + n % 26) AS name,
       'x' || n || CASE WHEN n % 1000 = 7 THEN 'q' ELSE '' END || '@mail.example.com' AS email
       FROM generate_series(1, $2::int) AS n) AS made`,
    [workspaceId, size],
  );
}
