import { Client } from 'pg';
import { DatabaseUnreachable } from './migrate';
import type { Statement } from './statement';

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
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  });
  // A connection that breaks is reported by the query that was running on it.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  });
  try {
    return await work(async <Row>({ text, values }: Statement) => {
      return (await client.query(text, values as unknown[])).rows as Row[];
    });
  } finally {
    await client.end();
  }
}
