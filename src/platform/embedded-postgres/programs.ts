import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { explainedSpawnError } from './account';
import { Cluster } from './cluster';
import { minimalEnvironment } from './processes';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const TAIL_LINES = 15;

export interface Program {
  child: ChildProcess;
  /** The last lines of its log. */
  output(): Promise<string>;
}

/**
 * Starts initdb or postgres on the cluster, as its account. It logs to a file, because a pipe would break if this process exits
 * first.
 * @param extraFiles open files that the program inherits as descriptors 3, 4, …
 */
export async function startProgram(
  cluster: Cluster,
  command: string,
  args: string[],
  extraFiles: number[] = [],
): Promise<Program> {
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    if ((await log.stat()).size > LOG_LIMIT_BYTES) await log.truncate(0);
    const { size: logStart } = await log.stat();
    const child = spawn(command, ['-D', pathForProgram(cluster), ...args], {
      ...cluster.account,
      cwd: cluster.directory,
      env: minimalEnvironment(),
      stdio: ['ignore', log.fd, log.fd, ...extraFiles],
      // A separate process group, so that Ctrl-C in a terminal doesn't stop it before the service has shut down.
      detached: true,
      windowsHide: true,
    });
    await once(child, 'spawn').catch((error: unknown) => {
      throw explainedSpawnError(error, cluster.account);
    });
    child.unref();
    return { child, output: () => tail(cluster.logFile, logStart) };
  } finally {
    await log.close();
  }
}

export async function runToCompletion(
  ...parameters: Parameters<typeof startProgram>
): Promise<{ exitCode: number | null; output: string }> {
  const program = await startProgram(...parameters);
  const { child } = program;
  child.ref();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { exitCode: child.exitCode, output: await program.output() };
}

/**
 * The cluster's path for the program. The account may lack access to the folders above the cluster (a clone in /root), but it
 * can use its working directory, which root entered.
 */
function pathForProgram({ account, directory }: Cluster): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

async function tail(file: string, start: number): Promise<string> {
  const { size } = await stat(file);
  const length = Math.min(Math.max(size - start, 0), 16 * 1024);
  const log = await open(file, 'r');
  try {
    const { buffer } = await log.read({ buffer: Buffer.alloc(length), position: size - length, length });
    return buffer.toString('utf8').trim().split('\n').slice(-TAIL_LINES).join('\n');
  } finally {
    await log.close();
  }
}
