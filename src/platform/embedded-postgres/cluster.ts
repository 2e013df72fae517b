import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Account, accountFor } from './account';
import { codeOf, EmbeddedPostgresError } from './errors';

export const SUPERUSER = 'gala';

/** The files of the database cluster, and the account that PostgreSQL runs as. */
export interface Cluster {
  directory: string;
  logFile: string;
  lockFile: string;
  /** Stores the path of the copied binaries, if there is a copy. */
  copyRecord: string;
  account: Account | undefined;
}

export async function clusterIn(dataDirectory: string): Promise<Cluster> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const directory = resolve(dataDirectory, 'postgres');
  return {
    directory,
    logFile: `${directory}.log`,
    lockFile: `${directory}.lock`,
    copyRecord: `${directory}.binaries`,
    account: await accountFor(directory),
  };
}

export async function readPassword(cluster: Cluster): Promise<string> {
  const file = passwordFile(cluster);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new EmbeddedPostgresError(
      `The database password is missing: ${file} does not exist. Restore the file, or all of ` +
        `${cluster.directory}, from a backup.`,
    );
  }
}

/** The password is in the cluster's directory, so that both are published, moved and restored together. */
export function passwordFile({ directory }: Pick<Cluster, 'directory'>): string {
  return join(directory, 'gala.password');
}
