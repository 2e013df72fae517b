import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { giveTo } from './account';
import { Binaries } from './binaries';
import { Cluster, passwordFile, SUPERUSER } from './cluster';
import { codeOf, EmbeddedPostgresError } from './errors';
import { runToCompletion } from './programs';

/** Creates the cluster if there is none yet, and checks that the binaries can serve the one there is. */
export async function ensureCluster(
  cluster: Cluster,
  binaries: Binaries,
  onProgress: (line: string) => void,
): Promise<void> {
  const { directory, account } = cluster;
  const version = await versionOf(directory);
  if (!version) {
    onProgress(`Preparing the embedded PostgreSQL in ${directory} (first start, takes a few seconds)`);
    await createCluster(cluster, binaries);
  } else if (version !== binaries.majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} was made by PostgreSQL ${version}, and this release of Gala brings ` +
        `PostgreSQL ${binaries.majorVersion}, which cannot read it. Go back to the release of Gala you had, ` +
        'or move the data over with pg_dump and a restore.',
    );
  } else if (account && (await stat(directory)).uid === 0) {
    // Restored from a backup by root, say; PostgreSQL demands that the directory is its own.
    await giveTo(account, directory);
  }
}

/** The version of PostgreSQL that made the cluster, undefined when there is no cluster yet. */
async function versionOf(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const content = await readdir(directory).catch(() => []);
  if (content.length === 0) return undefined;
  throw new EmbeddedPostgresError(
    `${directory} is not empty but holds no PostgreSQL cluster (no PG_VERSION in it). Restore it from a ` +
      'backup, or move it away to start with an empty database.',
  );
}

/** Built under another name and renamed when complete: a kill halfway leaves nothing that looks usable. */
async function createCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
  await removeLeftovers(cluster);
  try {
    const staging = await mkdtemp(`${cluster.directory}.new-`);
    const password = `${staging}.password`;
    const options = { flag: 'wx', mode: 0o600, flush: true };
    await writeFile(password, randomBytes(24).toString('base64url'), options);
    if (cluster.account) {
      await chown(password, cluster.account.uid, cluster.account.gid);
      await giveTo(cluster.account, staging);
    }
    await runInitdb({ ...cluster, directory: staging }, binaries, password);
    await rename(password, passwordFile({ directory: staging }));
    await rename(staging, cluster.directory);
    await syncDirectory(resolve(cluster.directory, '..'));
  } catch (error) {
    await removeLeftovers(cluster);
    throw error;
  }
}

/** After a power cut the new name must be there, or the next start would take the cluster for a leftover. */
async function syncDirectory(directory: string): Promise<void> {
  // Windows can't open directories, and doesn't need to.
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function removeLeftovers({ directory }: Cluster): Promise<void> {
  const parent = resolve(directory, '..');
  const leftovers = (await readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}.new-`));
  for (const name of leftovers) {
    // The initdb of a killed process may still be at work in there.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function runInitdb(staging: Cluster, binaries: Binaries, password: string): Promise<void> {
  // Handed over open, as the account may not be able to get to the file by its path.
  const handle = await open(password, 'r');
  try {
    const isolated = staging.account && process.platform === 'linux';
    const { exitCode, output } = await runToCompletion(
      staging,
      binaries.initdb,
      [
        `--username=${SUPERUSER}`,
        '--auth=scram-sha-256',
        `--pwfile=${isolated ? '/proc/self/fd/3' : password}`,
        '--encoding=UTF8',
        // The one pair of locales that every system has: PostgreSQL's own Unicode rules, and libc's "C".
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      [handle.fd],
    );
    if (exitCode === 0) return;
    throw new EmbeddedPostgresError(
      `PostgreSQL could not create its database cluster (in ${staging.directory}): initdb ended with code ` +
        `${exitCode}.\n${output}\nCorrect what it complains about and start again. The whole log: ${staging.logFile}`,
    );
  } finally {
    await handle.close();
  }
}
