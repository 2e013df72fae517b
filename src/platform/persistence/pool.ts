import type { ClientBase, Pool, PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { WatchfulClient, type WatchfulClientConfig } from './watchful-client';

const CONNECTION_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 5000;
/** For an instance that was frozen, or lost, while it held locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Beyond the statement's own timeout, which a server that is well sees to. */
const SILENCE_MARGIN_MS = 2000;

/** What bounds every connection to the database. @param statementTimeoutMs 0 waits for ever, for locks and answers too */
export function connectionOptions(statementTimeoutMs: number): WatchfulClientConfig & PoolConfig {
  return {
    Client: WatchfulClient as unknown as new () => ClientBase,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    silenceMs: statementTimeoutMs && statementTimeoutMs + SILENCE_MARGIN_MS,
    // Awaited by the pool, whatever its type says.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client) => client.query(sessionSettings(statementTimeoutMs)),
  };
}

/** Sent as a statement, since poolers such as PgBouncer refuse settings in the start-up message, or drop them in silence. */
function sessionSettings(statementTimeoutMs: number): string {
  const settings: Record<string, string | number> = {
    // What the driver reads must not depend on how the server is set up.
    DateStyle: 'ISO',
    TimeZone: 'UTC',
    statement_timeout: statementTimeoutMs,
    ...(statementTimeoutMs && {
      lock_timeout: Math.min(LOCK_TIMEOUT_MS, statementTimeoutMs),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  };
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');
}

export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
