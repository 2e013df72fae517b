import { DatabaseUnreachable } from './database-unreachable';
import { WatchfulClient } from './watchful-client';

/** A pooler under load may give two connections different sessions now and then. */
const TRIES = 5;

export const SHARED_SESSIONS =
  'DATABASE_URL leads to a connection pooler that shares sessions between connections, such as PgBouncer with pool_mode = transaction.';
export const SESSION_NEEDED =
  'Set pool_mode = session for this database, or connect to PostgreSQL itself: prepared statements, LISTEN and locks need a session.';

export class UnsuitablePooler extends Error {
  constructor() {
    super(`${SHARED_SESSIONS} ${SESSION_NEEDED}`);
  }
}

/**
 * Recognises a pooler in transaction or statement mode: two connections that are open at once, and have one server process
 * between them, or one that changes its own.
 *
 * @throws UnsuitablePooler
 * @throws DatabaseUnreachable
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  if (await sharesSessions(url)) throw new UnsuitablePooler();
}

/** Rejects with `DatabaseUnreachable` when there is no database. */
export async function sharesSessions(url: string): Promise<boolean> {
  const clients: WatchfulClient[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const client = new WatchfulClient({
        connectionString: url,
        application_name: 'gala-check',
        connectionTimeoutMillis: 5000,
        silenceMs: 10_000,
      });
      clients.push(client);
      await client.connect();
    }
    const [one, other] = clients as [WatchfulClient, WatchfulClient];
    const own = await processOf(one);
    for (let count = 0; count < TRIES; count++) {
      if ((await processOf(other)) === (await processOf(one)) || (await processOf(one)) !== own) return true;
    }
    return false;
  } catch (error) {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  } finally {
    for (const client of clients) client.end().catch(() => undefined);
  }
}

async function processOf(client: WatchfulClient): Promise<number> {
  const [answer] = await client.rows<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
  return answer!.pid;
}
