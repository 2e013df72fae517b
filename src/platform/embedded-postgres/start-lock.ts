import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedPostgresError } from './errors';
import { isAlive } from './processes';

const HEARTBEAT_MS = 5_000;
const STALE_MS = 30_000;
const PATIENCE_MS = 60_000;

/**
 * Runs `work` while no other process on this data directory starts or stops the server.
 *
 * The lock is a file that its holder keeps touching, so one left by a killed process expires: at once when
 * the pid in it is dead, and after half a minute when another process has got that pid. Two processes could
 * take over an expired lock together; then the rename that publishes a cluster and PostgreSQL's own
 * postmaster.pid still let just one of them through.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const token = `${process.pid} ${randomUUID()}`;
  await acquire(file, token);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await contentOf(file)) === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, token: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await writeFile(file, token, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = parseInt((await contentOf(file)) ?? '', 10);
    if (await isStale(file, holder)) {
      await rm(file, { force: true });
    } else if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Another Gala process (pid ${holder}) has been starting or stopping the embedded PostgreSQL for ` +
          `more than a minute (lock file ${file}). Wait for it, or stop it, and try again.`,
      );
    } else {
      await sleep(50);
    }
  }
}

async function isStale(file: string, holder: number): Promise<boolean> {
  // The pid is missing for the moment between the creation of the file and the write.
  if (!Number.isNaN(holder) && !isAlive(holder)) return true;
  const touched = await stat(file).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > STALE_MS;
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
