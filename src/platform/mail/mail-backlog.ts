import type { Query } from '../persistence/with-connection';

export interface MailBacklog {
  /** Mails that wait for their first attempt or a retry. */
  readonly waiting: number;
  /** How long the mail that waits longest has been waiting, in seconds. */
  readonly oldestSeconds: number;
  /** Mails that were refused or have expired in the last seven days. */
  readonly failed: number;
}

export const MAIL_BACKLOG = `
  SELECT count(*) FILTER (WHERE failed_at IS NULL)::int AS waiting,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE failed_at IS NULL)), 0)::float8
           AS "oldestSeconds",
         count(failed_at)::int AS failed
  FROM outgoing_mails`;

/** The backlog of a database of any version; undefined before the table exists. */
export async function mailBacklog(query: Query): Promise<MailBacklog | undefined> {
  const [table] = await query<{ exists: boolean }>({
    text: `SELECT to_regclass('outgoing_mails') IS NOT NULL AS exists`,
    values: [],
  });
  if (!table!.exists) return undefined;
  const [backlog] = await query<MailBacklog>({ text: MAIL_BACKLOG, values: [] });
  return { ...backlog!, oldestSeconds: Math.round(backlog!.oldestSeconds) };
}
