import type { Database } from './database';

const BATCH = 5000;

interface OldRows {
  table: string;
  column: string;
  before: Date;
  /** Limits it to rows with these values: of the columns that lead the index which ends in `column`. */
  where?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** Deletes older rows, a batch at a time. Several instances may run it at once. */
export async function clearOldRows(
  database: Database,
  { table, column, before, where = {}, signal }: OldRows,
): Promise<void> {
  const conditions = Object.keys(where).map((name, index) => `${name} = $${index + 2} AND `);
  let removed = BATCH;
  while (removed === BATCH && !signal?.aborted) {
    const rows = await database.sql(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${table} WHERE ${conditions.join('')}${column} < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
       )) RETURNING 1`,
      [before, ...Object.values(where)],
    );
    removed = rows.length;
  }
}
