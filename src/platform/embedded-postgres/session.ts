import { lutimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Cluster, passwordFile, readPassword, SUPERUSER } from './cluster';
import { codeOf, EmbeddedPostgresError } from './errors';
import { findPostmaster, Postmaster } from './postmaster';

/** A connection of our own; `unref` lets the process end while it is open. */
export type Session = Client & { ref(): void; unref(): void };

/** Where we meet and lock. It isn't the application's database, so that one can be dropped and restored. */
const MAINTENANCE_DATABASE = 'postgres';
const SILENCE_MS = 10_000;

/**
 * Connects to the cluster's postmaster, however long it needs to start up or shut down as long as it
 * answers at all. Undefined when it went away meanwhile.
 */
export async function connect(
  cluster: Cluster,
  postmaster: Postmaster,
  applicationName: string,
): Promise<Session | undefined> {
  const password = await readPassword(cluster);
  let answeredAt = Date.now();
  for (;;) {
    const current = await findPostmaster(cluster);
    if (current?.pid !== postmaster.pid) return undefined;
    const session = new Client({
      host: '127.0.0.1',
      port: current.port,
      user: SUPERUSER,
      password,
      database: MAINTENANCE_DATABASE,
      application_name: applicationName,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    }) as Session;
    // A lost connection is no reason to crash; whoever holds the session listens to 'end'.
    session.on('error', () => undefined);
    try {
      await session.connect();
      return session;
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (code === '57P03') answeredAt = Date.now();
      else if (code.startsWith('28')) throw foreignServer(cluster, current, error);
      else if (Date.now() - answeredAt > SILENCE_MS) throw silentServer(cluster, current, error);
    }
    await sleep(20);
  }
}

/**
 * Makes sure that the server really works on our directory. After a copy of a data directory in use, the
 * copy's postmaster.pid leads to the original's server, and its password fits.
 */
export async function checkDirectory(
  cluster: Cluster,
  postmaster: Postmaster,
  session: Session,
): Promise<void> {
  const mark = Math.floor(Date.now() / 1000) - Math.floor(Math.random() * 86_400);
  await lutimes(passwordFile(cluster), mark, mark);
  const { rows } = await session.query<{ seen: string }>(
    `select extract(epoch from modification)::bigint as seen from pg_stat_file('gala.password')`,
  );
  if (Number(rows[0]?.seen) !== mark) throw foreignServer(cluster, postmaster);
}

function foreignServer({ directory }: Cluster, { pid, port }: Postmaster, cause?: unknown) {
  return new EmbeddedPostgresError(
    `According to ${directory}/postmaster.pid the PostgreSQL with pid ${pid} (port ${port}) serves this ` +
      'directory, but it does not: it rejects the password kept there, or works on another directory. If ' +
      'the directory is a copy of one in use, or its password was changed, stop that PostgreSQL and the ' +
      'Gala it belongs to, and start again; better, copy a data directory only while Gala is stopped.',
    { cause },
  );
}

function silentServer({ directory }: Cluster, { pid, port }: Postmaster, cause: unknown) {
  return new EmbeddedPostgresError(
    `The PostgreSQL that holds ${directory} (pid ${pid}, port ${port}) is running but has not answered for ` +
      `${SILENCE_MS / 1000} seconds: ${(cause as Error).message}. If it is suspended, resume it with "kill ` +
      `-CONT ${pid}"; otherwise end it with "kill -9 ${pid}" (committed data is safe). Then start again.`,
    { cause },
  );
}
