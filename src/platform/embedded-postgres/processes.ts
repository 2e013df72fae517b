import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { codeOf } from './errors';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Whether the process is alive and, where that can be told, really a PostgreSQL: after a restart of a
 * container or machine the pid may belong to anything, even to a thread of this process. A zombie counts
 * as dead (its command line is empty), since nobody may ever reap it in a container.
 */
export async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return basename(commandLine.split('\0')[0] ?? '') === 'postgres';
  } catch (error) {
    return codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ESRCH';
  }
}

const SIGNALS = { SIGINT: 2, SIGQUIT: 3 };

/** Windows has no signals, and `process.kill` would end the process at once: PostgreSQL listens to a pipe. */
export function signalPostgres(pid: number, signal: keyof typeof SIGNALS): void {
  if (process.platform === 'win32') {
    const pipe = connect(`\\\\.\\pipe\\pgsignal_${pid}`);
    pipe.on('error', () => undefined).on('data', () => pipe.destroy());
    pipe.write(Uint8Array.of(SIGNALS[signal]));
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** What PostgreSQL inherits: not the service's whole environment, where there may be secrets. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TEMP', 'TMP', 'SystemRoot'];
  const inherited = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  // Messages in English: the log is searched for some of them.
  return { ...(Object.fromEntries(inherited) as NodeJS.ProcessEnv), LC_ALL: 'C' };
}
