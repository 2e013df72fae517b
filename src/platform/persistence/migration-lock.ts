import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnreachable } from './database-unreachable';
import { WatchfulClient } from './watchful-client';

/** Any number, as long as every instance takes the same: "gala" in ASCII. */
const KEY = 0x67616c61;
const POLL_MS = 200;
const PATIENCE_MS = 5000;

const TAKE = 'SELECT pg_try_advisory_lock($1) AS locked';
const HELD_BY_THIS_SESSION = `SELECT EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objid = $1 AND granted) AS held`;
/** Of another role's session only the pid can be read. */
const HOLDER = `
  SELECT lock.pid, coalesce(nullif(session.application_name, ''), 'unknown') AS name,
    coalesce(host(session.client_addr), 'a local socket') AS address, session.backend_start AS since
  FROM pg_locks AS lock LEFT JOIN pg_stat_activity AS session USING (pid)
  WHERE lock.locktype = 'advisory' AND lock.objid = $1 AND lock.granted
    AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  LIMIT 1`;

interface Holder {
  readonly pid: number;
  readonly name: string;
  readonly address: string;
  readonly since: Date | null;
}

/** Lets one instance after another migrate. It ends with the session that holds it. */
export class MigrationLock {
  private constructor(private readonly client: WatchfulClient) {}

  /**
   * Waits as long as another holds it, and says who does.
   * @throws DatabaseUnreachable
   */
  static async take(url: string, onProgress: (line: string) => void): Promise<MigrationLock> {
    const client = new WatchfulClient({
      connectionString: url,
      application_name: 'gala-migrate',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      // Nothing is said on it for as long as a migration takes.
      keepAliveInitialDelayMillis: 10_000,
      silenceMs: 10_000,
    });
    try {
      await client.connect();
      await this.wait(client, onProgress);
      return new MigrationLock(client);
    } catch (error) {
      client.end().catch(() => undefined);
      throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
    }
  }

  /** Asked again and again: for a statement that waits, an index that is built concurrently would wait in turn. */
  private static async wait(client: WatchfulClient, onProgress: (line: string) => void): Promise<void> {
    let toldAt = performance.now();
    for (;;) {
      const [answer] = await client.rows<{ locked: boolean }>({ text: TAKE, values: [KEY] });
      if (answer!.locked) return;
      if (performance.now() - toldAt > PATIENCE_MS) {
        toldAt = performance.now();
        const [holder] = await client.rows<Holder>({ text: HOLDER, values: [KEY] });
        if (holder) onProgress(sentenceOf(holder));
      }
      await sleep(POLL_MS);
    }
  }

  /** @throws DatabaseUnreachable if its session was lost, and another instance may have begun to migrate */
  async expectHeld(): Promise<void> {
    const held = await this.client
      .rows<{ held: boolean }>({ text: HELD_BY_THIS_SESSION, values: [KEY] })
      .then(
        ([answer]) => answer!.held,
        () => false,
      );
    if (!held) {
      throw new DatabaseUnreachable(
        new Error('the connection that holds the lock of migrations was lost; start again'),
      );
    }
  }

  async release(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

function sentenceOf({ pid, name, address, since }: Holder): string {
  const start = since ? `, connected since ${since.toISOString()}` : '';
  return (
    `Waiting for another instance that migrates the database: the session with pid ${pid} (${name}) from ` +
    `${address}${start}. If that instance is gone, end its session with: SELECT pg_terminate_backend(${pid});`
  );
}
