import { lutimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Cluster, passwordFile, readPassword, SUPERUSER } from './cluster';
import { codeOf, EmbeddedPostgresError } from './errors';
import { findPostmaster, Postmaster } from './postmaster';

/** A connection; `unref` lets the process exit while it is open. */
export type Session = Client & { ref(): void; unref(): void };

/** The database for advisory locks. It isn't the application's, so that that one can be dropped and restored. */
const MAINTENANCE_DATABASE = 'postgres';
const SILENCE_MS = 10_000;

/**
 * Connects to the cluster's postmaster. Waits while it is starting up or shutting down, as long as it answers. Undefined if it
 * exits meanwhile.
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
    // A lost connection must not crash the process. The session's owner listens to 'end'.
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
 * Checks that the server uses this directory. If a data directory was copied while in use, the copy's postmaster.pid names the
 * original's server, and the password matches.
 * @throws EmbeddedPostgresError if it uses another directory
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
    `According to ${directory}/postmaster.pid, the PostgreSQL with pid ${pid} (port ${port}) uses this ` +
      'directory, but it does not: it rejects the stored password, or uses another directory. If ' +
      'the directory is a copy of one in use, or its password was changed, stop that PostgreSQL and its ' +
      'Gala service, and start again. Copy a data directory only while Gala is stopped.',
    { cause },
  );
}

function silentServer({ directory }: Cluster, { pid, port }: Postmaster, cause: unknown) {
  return new EmbeddedPostgresError(
    `The PostgreSQL in ${directory} (pid ${pid}, port ${port}) is running but has not answered for ` +
      `${SILENCE_MS / 1000} seconds: ${(cause as Error).message}. If it is suspended, resume it with "kill ` +
      `-CONT ${pid}"; otherwise end it with "kill -9 ${pid}" (committed data is safe). Then start again.`,
    { cause },
  );
}
