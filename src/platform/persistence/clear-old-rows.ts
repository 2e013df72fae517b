import type { Database } from './database';

const BATCH = 5000;

/** Deletes what is older, a few rows at a time. Several instances may be at it together. */
export async function clearOldRows(
  database: Database,
  { table, column, before, signal }: { table: string; column: string; before: Date; signal?: AbortSignal },
): Promise<void> {
  let removed = BATCH;
  while (removed === BATCH && !signal?.aborted) {
    const rows = await database.query({
      text: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
               SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
             )) RETURNING 1`,
      values: [before],
    });
    removed = rows.length;
  }
}
