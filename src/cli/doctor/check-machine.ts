import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Configuration } from '../../platform/config/configuration';
import { type Finding, findingsOf } from './finding';

const node = findingsOf('node');
const descriptors = findingsOf('descriptors');
const disk = findingsOf('disk');

const OLDEST_NODE = [20, 19] as const;
const MIB = 1024 * 1024;
const ENOUGH_DESCRIPTORS = 4096;

export function checkNode(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOldEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isOldEnough) return [node.ok(`Node.js ${version}.`)];
  return [node.problem(`Node.js is ${version}.`, `Install Node.js ${OLDEST_NODE.join('.')} or later.`)];
}

/** Each connection takes one; beyond the limit nobody gets in any more. Only Linux says what it is. */
export function checkDescriptors(limits = readLimits()): Finding[] {
  const soft = /^Max open files\s+(\w+)/m.exec(limits)?.[1];
  if (soft === undefined) return [];
  const most = soft === 'unlimited' ? Infinity : Number(soft);
  if (most >= ENOUGH_DESCRIPTORS) return [descriptors.ok(`Up to ${soft} files and connections may be open.`)];
  return [
    descriptors.warning(
      `Only ${soft} files and connections may be open at once.`,
      'Raise the limit: `ulimit -n 65536`, LimitNOFILE=65536 for systemd, --ulimit nofile=65536 for a container.',
    ),
  ];
}

function readLimits(): string {
  return existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
}

/** The data directory holds the embedded database, or the encryption key; with both elsewhere nothing is written. */
export function checkDisk({ dataDirectory, databaseUrl, encryptionKey }: Configuration): Finding[] {
  if (databaseUrl && encryptionKey) return [];
  const place = firstThatExists(dataDirectory);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return [
      disk.problem(
        `${place} can’t be written to.`,
        'Let the service’s user own DATA_DIR, or set it to a folder of its own.',
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(place);
  const free = Math.floor((bavail * bsize) / MIB);
  const remedy = 'Make room, or move DATA_DIR to a larger disk.';
  if (free < 100) return [disk.problem(`Only ${free} MiB are free where DATA_DIR is.`, remedy)];
  if (free < 1024) return [disk.warning(`Only ${free} MiB are free where DATA_DIR is.`, remedy)];
  return [disk.ok(`${free} MiB are free where DATA_DIR is.`)];
}

function firstThatExists(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : firstThatExists(dirname(path));
}
