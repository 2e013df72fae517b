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
 * Whether the process is alive and, on Linux, really a PostgreSQL: after a restart of the container or machine, the pid may
 * belong to any process, even to a thread of this one. A zombie counts as dead (its command line is empty), because in a
 * container it may never be reaped.
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

/** On Windows, which has no signals, PostgreSQL listens to a pipe; `process.kill` would end the process at once. */
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

/** The environment of PostgreSQL. The service's whole environment may contain secrets. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TEMP', 'TMP', 'SystemRoot'];
  const inherited = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  // English messages, because the log is searched for some of them.
  return { ...(Object.fromEntries(inherited) as NodeJS.ProcessEnv), LC_ALL: 'C' };
}
