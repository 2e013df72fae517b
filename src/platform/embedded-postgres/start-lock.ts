import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedPostgresError } from './errors';
import { isAlive } from './processes';

const HEARTBEAT_MS = 5_000;
const STALE_MS = 30_000;
/** A file that stays empty this long was left by a process that was killed before it wrote the content. */
const EMPTY_MS = 2_000;
const TIMEOUT_MS = 60_000;

/** The locks of this process. In a container, a killed predecessor may have had the same pid. */
const held = new Set<string>();

/**
 * Runs `work` while no other process starts or stops the server of this data directory.
 *
 * The lock is a file that its holder touches regularly. A killed process's lock expires at once if its pid is dead or our own,
 * after two seconds if the file is empty, and after half a minute if another process has its pid. Two processes could take an
 * expired lock at the same time; then the rename that publishes a cluster and PostgreSQL's postmaster.pid let only one continue.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const token = `${process.pid} ${randomUUID()}`;
  await acquire(file, token);
  held.add(token);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    held.delete(token);
    if ((await contentOf(file)) === token) await rm(file, { force: true });
  }
}

async function acquire(file: string, token: string): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      await writeFile(file, token, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const content = (await contentOf(file)) ?? '';
    const holder = parseInt(content, 10);
    if (await isStale(file, content, holder)) {
      await rm(file, { force: true });
    } else if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Another Gala process (pid ${holder}) has been starting or stopping the embedded PostgreSQL for ` +
          `more than a minute (lock file ${file}). Wait for it or stop it, and try again.`,
      );
    } else {
      await sleep(50);
    }
  }
}

async function isStale(file: string, content: string, holder: number): Promise<boolean> {
  if (holder === process.pid) return !held.has(content);
  if (!Number.isNaN(holder) && !isAlive(holder)) return true;
  const touched = await stat(file).catch(() => undefined);
  const limit = Number.isNaN(holder) ? EMPTY_MS : STALE_MS;
  return touched !== undefined && Date.now() - touched.mtimeMs > limit;
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
