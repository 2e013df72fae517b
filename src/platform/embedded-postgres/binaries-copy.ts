import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const PREFIX = 'gala-postgres-';

/**
 * Copies bin, lib and share into a new folder `native` that everyone can read and only this user can write.
 * @param record the file that stores the folder's path, so that the next process can reuse or remove it
 */
export async function copyBinaries(native: string, record: string): Promise<string> {
  await discardCopy(record);
  // The name is unpredictable, and recorded first, so that a killed process leaves no unknown folder.
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(record, folder, { mode: 0o600 });
  const copy = join(folder, 'native');
  // The modes of the originals and the umask may be too strict for the account.
  for (const directory of [folder, copy]) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o755);
  }
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(copy, relative(native, from));
    if (entry.isDirectory()) await mkdir(to);
    else if (entry.isFile()) await copyFile(from, to);
    else continue;
    await chmod(to, 0o755);
  }
  return copy;
}

/** The recorded copy, if it still belongs to this user and is complete. */
export async function copyInUse(native: string, record: string): Promise<string | undefined> {
  const folder = await recordedFolder(record);
  if (!folder) return undefined;
  const copy = join(folder, 'native');
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = join(entry.parentPath, entry.name);
    const [expected, found] = await Promise.all([
      lstat(original),
      lstat(join(copy, relative(native, original))).catch(() => undefined),
    ]);
    if (found?.size !== expected.size) return undefined;
  }
  return copy;
}

export async function discardCopy(record: string): Promise<void> {
  const folder = await recordedFolder(record);
  if (folder) await rm(folder, { recursive: true, force: true });
  await rm(record, { force: true });
}

/** Keeps the copy of a running server young, because temporary folders are cleaned by age. */
export async function refreshCopy(record: string): Promise<void> {
  const folder = await recordedFolder(record);
  if (!folder) return;
  const now = new Date();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), now, now);
  }
}

/** The recorded folder, if it belongs to this user and nobody else can write to it. */
async function recordedFolder(record: string): Promise<string | undefined> {
  const folder = await readFile(record, 'utf8').catch(() => undefined);
  if (!folder?.includes(PREFIX)) return undefined;
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return undefined;
  if (process.getuid && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0)) return undefined;
  return folder;
}
