import { Client } from 'pg';

/** Runs one statement on a connection of its own, beside the service. */
export async function sql<Row = Record<string, unknown>>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return onConnection(databaseUrl, async (client) => (await client.query(text, values)).rows as Row[]);
}

/** Lends a connection beside the service's, for what takes more than one statement. */
export async function onConnection<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
