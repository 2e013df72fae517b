import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ROOT = resolve(__dirname, '../..');
const LAUNCHER = join(ROOT, 'bin/gala.js');
const PATIENCE_MS = 120_000;

export const isRoot = process.getuid?.() === 0;
/** An account without any rights, for what root may do and others may not. */
export const NOBODY = { uid: 65534, gid: 65534 };

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  /** All that the process gets: nothing is inherited. */
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Another project folder than this one. */
  project?: string;
}

/** Builds once, so that what follows starts fast. */
export function build(): void {
  execFileSync(process.execPath, [LAUNCHER, '--help'], { stdio: 'pipe' });
}

/** A temporary working directory, the processes that are started in it and what they start in turn. */
export class WorkingDirectory {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'gala-process-')));
  private readonly started: GalaProcess[] = [];

  start(args: string[], options: ProcessOptions = {}): GalaProcess {
    const { project = ROOT, ...rest } = options;
    return this.spawn(process.execPath, [join(project, 'bin/gala.js'), ...args], rest);
  }

  /** In a process group of its own, so that it can be signalled like a terminal's foreground job. */
  spawn(command: string, args: string[], options: ProcessOptions = {}): GalaProcess {
    const child = spawn(command, args, {
      cwd: this.path,
      env: {},
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new GalaProcess(child);
    this.started.push(started);
    return started;
  }

  run(args: string[], options?: ProcessOptions): Promise<Finished> {
    return this.start(args, options).finished;
  }

  giveTo({ uid, gid }: { uid: number; gid: number }): void {
    chownSync(this.path, uid, gid);
  }

  /**
   * Living processes that work in this folder or were told of it, those of the embedded PostgreSQL included.
   * Only Linux lets us look; elsewhere nothing is found.
   */
  processes(): number[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => this.isWorkingDirectoryOf(pid) || environmentOf(pid).includes(this.path))
      .map(Number);
  }

  /** The PostgreSQL main process, as it says itself. */
  postmasterPid(): number {
    return parseInt(readFileSync(join(this.path, 'data/postgres/postmaster.pid'), 'utf8'), 10);
  }

  /** What has outlived the process that started it. Dying processes get a moment. */
  async leftovers(): Promise<string[]> {
    const giveUpAt = Date.now() + 15_000;
    while (this.processes().length && Date.now() < giveUpAt) await sleep(50);
    return this.processes().map((pid) => `${pid} ${commandLineOf(pid)}`);
  }

  kill(): void {
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone meanwhile.
      }
    }
  }

  /** Ends everything that was started here and removes the folder. */
  async clear(): Promise<void> {
    for (const each of this.started) each.signal('SIGKILL');
    while (this.processes().length) {
      this.kill();
      await sleep(20);
    }
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private isWorkingDirectoryOf(pid: string): boolean {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return cwd === this.path || cwd.startsWith(`${this.path}/`);
    } catch {
      return false;
    }
  }
}

export class GalaProcess {
  stdout = '';
  stderr = '';
  readonly finished: Promise<Finished>;

  constructor(private readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.finished = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get pid(): number {
    return this.child.pid!;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until standard output matches. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      if (this.hasEnded || Date.now() > giveUpAt) {
        throw new Error(`Never said ${pattern}, but:\n${this.stdout}\n${this.stderr}`);
      }
      await sleep(20);
    }
  }

  /** Waits until the service is up and has said all it says at a start. */
  async isUp(): Promise<this> {
    await this.says(/^Gala is ready at [^]*(^ {2}curl |^Lost the keys|^There is no workspace).*\n/m);
    return this;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** As a terminal does for Ctrl-C: to every process of the job. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.signal(signal);
    return this.finished;
  }
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Works through the items a few at a time: processes started all at once only wait for each other. */
export async function eachOf<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const workers = Array.from({ length: 3 }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  });
  await Promise.all(workers);
  return results;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
