import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'gala-tests-';
/** What a run needs there, and what this machine must have beside it for the tests themselves. */
const NEEDED = { files: 4 * 2 ** 30, memory: 8 * 2 ** 30 };

/**
 * Keeps the temporary files of this run in memory where there is room, unless TMPDIR says where they belong. Creating a
 * database makes hundreds of files, which on a disk takes ten times the processor time.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR) return;
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  if (!isRoomy() || !canHoldPrograms(folder)) return;
  process.env.TMPDIR = folder;
}

export function removeTemporaryFiles(): void {
  const own = join(MEMORY, `${PREFIX}${process.pid}`);
  if (process.env.TMPDIR === own) delete process.env.TMPDIR;
  removeFolder(own);
  // Those of runs that were killed.
  for (const name of foldersOfRuns()) if (!isRunning(name)) removeFolder(join(MEMORY, name));
}

function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED.files && freemem() >= NEEDED.memory;
  } catch {
    return false;
  }
}

/** Containers often mount it so that nothing there can be executed, and some tests install packages. */
function canHoldPrograms(folder: string): boolean {
  try {
    // Other accounts, such as that of PostgreSQL, use folders within it.
    mkdirSync(folder, { mode: 0o755 });
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    removeFolder(folder);
    return false;
  }
}

function foldersOfRuns(): string[] {
  try {
    return readdirSync(MEMORY).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function isRunning(name: string): boolean {
  try {
    return process.kill(Number(name.slice(PREFIX.length)), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
