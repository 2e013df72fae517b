import type { Database } from './database';

const BATCH = 5000;

interface OldRows {
  table: string;
  column: string;
  before: Date;
  /** Only where these columns have these values: those that lead the index which ends in `column`. */
  where?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** Deletes what is older, a few rows at a time. Several instances may be at it together. */
export async function clearOldRows(
  database: Database,
  { table, column, before, where = {}, signal }: OldRows,
): Promise<void> {
  const conditions = Object.keys(where).map((name, index) => `${name} = $${index + 2} AND `);
  let removed = BATCH;
  while (removed === BATCH && !signal?.aborted) {
    const rows = await database.query({
      text: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
               SELECT ctid FROM ${table} WHERE ${conditions.join('')}${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
             )) RETURNING 1`,
      values: [before, ...Object.values(where)],
    });
    removed = rows.length;
  }
}
