import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Configuration } from '../../platform/config/configuration';
import { type Finding, findingsOf } from './finding';

const node = findingsOf('node');
const descriptors = findingsOf('descriptors');
const disk = findingsOf('disk');

const OLDEST_NODE = [20, 19] as const;
const MIB = 1024 * 1024;
const MIN_DESCRIPTORS = 4096;

export function checkNode(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough) return [node.ok(`Node.js ${version}.`)];
  return [
    node.problem(`Node.js ${version} is too old.`, `Install Node.js ${OLDEST_NODE.join('.')} or later.`),
  ];
}

/** Each connection takes a descriptor, and none is accepted beyond the limit. Only Linux reports the limit. */
export function checkDescriptors(limits = readLimits()): Finding[] {
  const soft = /^Max open files\s+(\w+)/m.exec(limits)?.[1];
  if (soft === undefined) return [];
  const most = soft === 'unlimited' ? Infinity : Number(soft);
  if (most >= MIN_DESCRIPTORS) return [descriptors.ok(`The limit of open files and connections is ${soft}.`)];
  return [
    descriptors.warning(
      `The limit of open files and connections is only ${soft}.`,
      'Raise the limit: `ulimit -n 65536`, LimitNOFILE=65536 for systemd, --ulimit nofile=65536 for a container.',
    ),
  ];
}

function readLimits(): string {
  return existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
}

/** The data directory holds the embedded database and the encryption key. If both are elsewhere, nothing is written to it. */
export function checkDisk({ dataDirectory, databaseUrl, encryptionKey }: Configuration): Finding[] {
  if (databaseUrl && encryptionKey) return [];
  const place = nearestExisting(dataDirectory);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return [
      disk.problem(
        `${place} isn’t writable.`,
        'Make the service’s user the owner of DATA_DIR, or set DATA_DIR to another folder.',
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(place);
  const free = Math.floor((bavail * bsize) / MIB);
  const remedy = 'Free disk space, or move DATA_DIR to a larger disk.';
  if (free < 100) return [disk.problem(`Only ${free} MiB are free where DATA_DIR is.`, remedy)];
  if (free < 1024) return [disk.warning(`Only ${free} MiB are free where DATA_DIR is.`, remedy)];
  return [disk.ok(`${free} MiB are free where DATA_DIR is.`)];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
