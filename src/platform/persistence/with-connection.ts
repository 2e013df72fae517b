import { DatabaseUnreachable } from './database-unreachable';
import type { Statement } from './statement';
import { WatchfulClient } from './watchful-client';

export type Query = <Row>(statement: Statement) => Promise<Row[]>;

/**
 * Opens a connection of its own for some queries, for commands that look at a database before a service runs on it. Rejects
 * with `DatabaseUnreachable` when there is none.
 */
export async function withConnection<Result>(
  url: string,
  applicationName: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = new WatchfulClient({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  });
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  });
  try {
    return await work((statement) => client.rows(statement));
  } finally {
    await client.end();
  }
}
