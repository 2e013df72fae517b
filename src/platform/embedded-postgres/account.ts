import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './errors';

export interface Account {
  uid: number;
  gid: number;
}

/** The account that runs PostgreSQL, which refuses to run as root. Undefined if this process isn't root. */
export async function accountFor(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  // A cluster that an ordinary user created stays theirs, so that they can use it without root later.
  const cluster = await stat(clusterDirectory).catch(() => undefined);
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };

  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find(([candidate]) => candidate === name);
    if (user && Number(user[2]) > 0) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody" to run ' +
      'it as. Run Gala as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

export async function giveTo(account: Account, directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), account.uid, account.gid);
  }
  await lchown(directory, account.uid, account.gid);
}

/** Explains a failed switch to the account, which needs capabilities that a container's root may lack. */
export function explainedSpawnError(error: unknown, account: Account | undefined): unknown {
  if (!account || (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EINVAL')) return error;
  return new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and switching to user id ${account.uid} is not permitted here ` +
      '(a container without the SETUID and SETGID capabilities?). Run Gala as an ordinary user, or set ' +
      'DATABASE_URL to a PostgreSQL of your own.',
    { cause: error },
  );
}
