import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Binaries } from './binaries';
import { Cluster } from './cluster';
import { EmbeddedPostgresError } from './errors';
import { isAlive, isPostgres, signalPostgres } from './processes';
import { Program, startProgram } from './programs';

/** PostgreSQL's main process, as described by postmaster.pid. */
export interface Postmaster {
  pid: number;
  /** Distinguishes processes with the same pid. */
  startedAt: string;
  port: number;
  ready: boolean;
}

const RETRY_MS = 10_000;
const SLOW_START_MS = 5_000;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Failures worth a retry: another process took the port, or processes of a killed postmaster are still running, which they do
 * for up to a few seconds.
 */
const TEMPORARY_FAILURE =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block|"postmaster.pid" already exists/;

/** PostgreSQL's cache of tables in MB: a quarter of the memory of this machine or container, from 128 to 1024. */
function sharedBuffers(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.round(Math.min(Math.max(memory / 4 / 2 ** 20, 128), 1024));
}

const SETTINGS = {
  shared_buffers: `${sharedBuffers()}MB`,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  // Parallel queries need more shared memory than containers have (64 MB in /dev/shm).
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  // Statements on a new table may be planned badly until it has been analysed.
  autovacuum_naptime: '10s',
  // Cancels the query of a killed client soon, so that it doesn't hold locks for long.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Errors of statements aren't logged: clients get them anyway, and they quote data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
};

/** The running postmaster of the cluster, if there is one, regardless of who started it. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const postmaster = await readPidFile(cluster);
  return postmaster && (await isPostgres(postmaster.pid)) ? postmaster : undefined;
}

async function readPidFile({ directory }: Cluster): Promise<Postmaster | undefined> {
  const content = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , startedAt = '', port, , , , status = ''] = content.split('\n');
  // A negative pid is a single-user backend's.
  return pid
    ? { pid: Math.abs(Number(pid)), startedAt, port: Number(port), ready: status.trim() === 'ready' }
    : undefined;
}

/**
 * Starts PostgreSQL and waits until it is ready. Call it only if `findPostmaster` found none.
 * @param port the required port; by default that of a killed postmaster, where clients may look for it, or any free one
 */
export async function startPostmaster(
  cluster: Cluster,
  binaries: Binaries,
  onProgress: (line: string) => void,
  port?: number,
): Promise<Postmaster> {
  // If another process got the pid of a killed postmaster, PostgreSQL would mistake it for a running one.
  const stale = await readPidFile(cluster);
  if (stale && isAlive(stale.pid)) await rm(join(cluster.directory, 'postmaster.pid'));

  const giveUpAt = Date.now() + RETRY_MS;
  for (let preferred = port ?? stale?.port; ; preferred = port) {
    const settings = { ...SETTINGS, port: preferred || (await freePort()) };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const program = await startProgram(cluster, binaries.postgres, args);
    const postmaster = await becomeReady(cluster, program, onProgress);
    if (postmaster) return postmaster;

    const output = await program.output();
    if (!TEMPORARY_FAILURE.test(output) || Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `PostgreSQL did not start in ${cluster.directory}. Its output:\n${output}\nCorrect the problem and ` +
          `start again. Full log: ${cluster.logFile}`,
      );
    }
    await sleep(100);
  }
}

/** Undefined if it exits instead. There is no timeout, because recovery after a crash must not be interrupted. */
async function becomeReady(
  cluster: Cluster,
  { child }: Program,
  onProgress: (line: string) => void,
): Promise<Postmaster | undefined> {
  const reportAt = Date.now() + SLOW_START_MS;
  let reported = false;
  while (child.exitCode === null && child.signalCode === null) {
    const postmaster = await readPidFile(cluster);
    if (postmaster?.pid === child.pid && postmaster?.ready) return postmaster;
    if (!reported && Date.now() > reportAt) {
      onProgress(`The embedded PostgreSQL is recovering from a crash; its log is ${cluster.logFile}`);
      reported = true;
    }
    await sleep(10);
  }
  return undefined;
}

/** A port chosen by the system. If another process takes it first, PostgreSQL fails to bind and is retried. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export async function stopPostmaster(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  const running = await findPostmaster(cluster);
  if (running?.pid !== postmaster.pid || running.startedAt !== postmaster.startedAt) return;
  signalPostgres(postmaster.pid, 'SIGINT');
  if (await isGone(postmaster, FAST_SHUTDOWN_MS)) return;
  signalPostgres(postmaster.pid, 'SIGQUIT');
  if (await isGone(postmaster, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL (pid ${postmaster.pid}) in ${cluster.directory} does not stop after two signals. ` +
      'Committed data is safe. Check whether it is suspended or its disk hangs, and end it with ' +
      `"kill -9 ${postmaster.pid}" if necessary.`,
  );
}

async function isGone({ pid }: Pick<Postmaster, 'pid'>, withinMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + withinMs;
  while (await isPostgres(pid)) {
    if (Date.now() > giveUpAt) return false;
    await sleep(10);
  }
  return true;
}
