import { provideBinaries } from './binaries';
import { discardCopy, refreshCopy } from './binaries-copy';
import { Cluster, clusterIn, readPassword, SUPERUSER } from './cluster';
import { codeOf, EmbeddedPostgresError } from './errors';
import { ensureCluster } from './initdb';
import { Membership, Role } from './membership';
import { findPostmaster, Postmaster, startPostmaster, stopPostmaster } from './postmaster';
import { checkDirectory, connect, Session } from './session';
import { withStartLock } from './start-lock';

export { EmbeddedPostgresError };

export interface EmbeddedPostgres {
  /** Includes the password. */
  readonly url: string;
  /** Stops the server, unless another process still uses it. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDirectory: string;
  /**
   * A 'service' owns the server; there is one per data directory. A 'command' uses the running server or starts one, and the
   * last command stops it, unless a service uses it by then.
   */
  role: Role;
  onProgress?: (line: string) => void;
}

const DATABASE = 'gala';
const ATTEMPTS = 5;
const COPY_REFRESH_MS = 12 * 60 * 60 * 1000;

/**
 * Opens the PostgreSQL in the data directory. It is created if it is missing, and reused if a killed process left it running.
 * @throws EmbeddedPostgresError
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, role, onProgress = () => undefined } = options;
  forgetLibpqVariables();
  try {
    const cluster = await clusterIn(dataDirectory);
    return await withStartLock(cluster.lockFile, () => open(cluster, role, onProgress));
  } catch (error) {
    throw explained(error, dataDirectory);
  }
}

/**
 * Removes variables that are meant for another PostgreSQL (`PGSSLMODE`, `PGOPTIONS`, …) from this process and its workers,
 * because the driver would apply them to the embedded one.
 */
function forgetLibpqVariables(): void {
  for (const name of Object.keys(process.env)) {
    if (/^PG[A-Z]+$/.test(name)) Reflect.deleteProperty(process.env, name);
  }
}

async function open(
  cluster: Cluster,
  role: Role,
  onProgress: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const { postmaster, session, isNew } = await reach(cluster, role, onProgress);
  let membership: Membership;
  try {
    await checkDirectory(cluster, postmaster, session);
    membership = await Membership.join(cluster, postmaster, role, session, (previous) =>
      restart(cluster, previous, onProgress),
    );
  } catch (error) {
    await session.end();
    if (isNew) await stopPostmaster(cluster, postmaster);
    throw error;
  }
  let url: string;
  try {
    await ensureDatabase(session);
    url = `postgres://${SUPERUSER}:${await readPassword(cluster)}@127.0.0.1:${postmaster.port}/${DATABASE}`;
  } catch (error) {
    await close(cluster, role, membership);
    throw error;
  }
  const refresh = setInterval(() => {
    refreshCopy(cluster.copyRecord).catch(() => undefined);
  }, COPY_REFRESH_MS).unref();
  membership.rest();
  let stopping: Promise<void> | undefined;
  return {
    url,
    stop() {
      clearInterval(refresh);
      stopping ??= withStartLock(cluster.lockFile, () => close(cluster, role, membership));
      return stopping;
    },
  };
}

/**
 * Connects to the running server, which may just be stopping, or starts one. If the connection fails, a started server is
 * stopped again.
 */
async function reach(
  cluster: Cluster,
  role: Role,
  onProgress: (line: string) => void,
): Promise<{ postmaster: Postmaster; session: Session; isNew: boolean }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const running = await findPostmaster(cluster);
    const postmaster = running ?? (await start(cluster, onProgress));
    try {
      const session = await connect(cluster, postmaster, Membership.nameFor(role));
      if (session) return { postmaster, session, isNew: !running };
    } catch (error) {
      if (!running) await stopPostmaster(cluster, postmaster);
      throw error;
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${cluster.directory} exits soon after each start. See its log: ${cluster.logFile}`,
  );
}

async function start(cluster: Cluster, onProgress: (line: string) => void): Promise<Postmaster> {
  const binaries = await provideBinaries(cluster.account, cluster.copyRecord);
  await ensureCluster(cluster, binaries, onProgress);
  return startPostmaster(cluster, binaries, onProgress);
}

/** Restarts the server on its previous port, where its clients look for it. */
async function restart(
  cluster: Cluster,
  { port }: Postmaster,
  onProgress: (line: string) => void,
): Promise<Postmaster> {
  const found = await findPostmaster(cluster);
  if (found?.port === port) return found;
  if (found) await stopPostmaster(cluster, found);
  onProgress(`The embedded PostgreSQL exited and is being restarted; its log is ${cluster.logFile}`);
  const binaries = await provideBinaries(cluster.account, cluster.copyRecord);
  return startPostmaster(cluster, binaries, onProgress, port);
}

async function ensureDatabase(session: Session): Promise<void> {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await session.query(`create database ${DATABASE}`);
}

async function close(cluster: Cluster, role: Role, membership: Membership): Promise<void> {
  const others = await membership.others().catch(() => undefined);
  await membership.leave();
  const needed =
    role === 'service' ? others?.some((other) => other.role === 'service') : others?.length !== 0;
  if (needed) return;
  await stopPostmaster(cluster, membership.postmaster);
  if (!(await findPostmaster(cluster))) await discardCopy(cluster.copyRecord);
}

function explained(error: unknown, dataDirectory: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const hint =
    codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
      ? 'Run Gala as the user who owns the files in it (or as root), or correct their owner.'
      : 'Correct that and start again, or set DATABASE_URL to a PostgreSQL of your own.';
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${dataDirectory} could not be started: ${(error as Error).message}. ${hint}`,
    { cause: error },
  );
}
