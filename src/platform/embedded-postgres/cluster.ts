import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Account, accountFor } from './account';
import { codeOf, EmbeddedPostgresError } from './errors';

export const SUPERUSER = 'gala';

/** Where everything is, and as whom PostgreSQL runs. */
export interface Cluster {
  directory: string;
  logFile: string;
  lockFile: string;
  /** remembers the copy of the binaries, if there is one */
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

/** The password lives in the cluster, so that neither can be published, moved or restored without the other. */
export function passwordFile({ directory }: Pick<Cluster, 'directory'>): string {
  return join(directory, 'gala.password');
}
