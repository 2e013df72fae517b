import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { giveTo } from './account';
import { Binaries } from './binaries';
import { Cluster, passwordFile, SUPERUSER } from './cluster';
import { codeOf, EmbeddedPostgresError } from './errors';
import { runToCompletion } from './programs';

/** Creates the cluster if it is missing, and checks that the binaries can run an existing one. */
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
      `The database in ${directory} was created by PostgreSQL ${version}, and this release of Gala contains ` +
        `PostgreSQL ${binaries.majorVersion}, which cannot read it. Go back to the previous release of Gala, ` +
        'or move the data with pg_dump and pg_restore.',
    );
  } else if (account && (await stat(directory)).uid === 0) {
    // For example after root restored a backup. PostgreSQL must own its directory.
    await giveTo(account, directory);
  }
}

/** The version of PostgreSQL that created the cluster; undefined if there is no cluster yet. */
async function versionOf(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const content = await readdir(directory).catch(() => []);
  if (content.length === 0) return undefined;
  throw new EmbeddedPostgresError(
    `${directory} is not empty but contains no PostgreSQL cluster (no PG_VERSION). Restore it from a ` +
      'backup, or move it away to start with an empty database.',
  );
}

/** Builds the cluster under another name and renames it when complete, so that a killed process leaves nothing half-built. */
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

/** Persists the rename: after a power cut, the next start would otherwise remove the cluster as a leftover. */
async function syncDirectory(directory: string): Promise<void> {
  // Windows can't open directories and doesn't need this.
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function removeLeftovers({ directory }: Cluster): Promise<void> {
  const parent = resolve(directory, '..');
  const leftovers = (await readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}.new-`));
  for (const name of leftovers) {
    // A killed process may have left an initdb running in it.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function runInitdb(staging: Cluster, binaries: Binaries, password: string): Promise<void> {
  // Passed as an open descriptor, because the account may not be able to reach the file by its path.
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
        // The only locales that every system has: PostgreSQL's own Unicode rules, and libc's "C".
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      [handle.fd],
    );
    if (exitCode === 0) return;
    throw new EmbeddedPostgresError(
      `PostgreSQL could not create its database cluster (in ${staging.directory}): initdb exited with code ` +
        `${exitCode}.\n${output}\nCorrect the problem and start again. Full log: ${staging.logFile}`,
    );
  } finally {
    await handle.close();
  }
}
