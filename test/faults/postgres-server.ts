import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/service-process';
import { sql } from '../support/sql';

const VERSIONS = '/usr/lib/postgresql';

/** A PostgreSQL of the system's, which can be stopped, frozen, starved and followed by a standby. */
export class PostgresServer {
  private server?: ChildProcess;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly settings: Record<string, string>,
  ) {}

  /** @param dataMount a file system to keep the data on; the write-ahead log is always elsewhere */
  static async create(settings: Record<string, string> = {}, dataMount?: string): Promise<PostgresServer> {
    const folder = newFolder();
    const server = new PostgresServer(folder, await freePort(), settings);
    const data = dataMount ? join(dataMount, 'data') : join(folder, 'data');
    if (dataMount) chown(dataMount);
    const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
    run('initdb', [...options, '--pgdata', data, '--waldir', join(folder, 'wal')]);
    server.data = data;
    await server.start();
    await sql(server.urlOf('postgres'), 'CREATE DATABASE gala');
    return server;
  }

  /** Made from a running server, which it follows from then on. */
  static async standbyOf(primary: PostgresServer, name: string): Promise<PostgresServer> {
    const folder = newFolder();
    const standby = new PostgresServer(folder, await freePort(), primary.settings);
    standby.data = join(folder, 'data');
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    const options = ['--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
    run('pg_basebackup', [...options, '--dbname', source, '--pgdata', standby.data]);
    await standby.start();
    return standby;
  }

  private data = '';

  get url(): string {
    return this.urlOf('gala');
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      ...this.settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.server = spawn(program('postgres'), ['-D', this.data, ...args], {
      ...account(),
      cwd: this.folder,
      stdio: 'ignore',
    });
    for (const giveUpAt = Date.now() + 30_000; ; await sleep(50)) {
      try {
        await sql(this.urlOf('postgres'), 'SELECT 1');
        return;
      } catch (error) {
        if (!this.isRunning || Date.now() > giveUpAt) throw error;
      }
    }
  }

  get isRunning(): boolean {
    return this.server !== undefined && this.server.exitCode === null && this.server.signalCode === null;
  }

  /** Breaks off whatever it is doing. */
  async stop(): Promise<void> {
    await this.end('SIGQUIT');
  }

  /** The main process alone: the others notice and end by themselves. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  freeze(): void {
    for (const pid of this.processes()) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.processes()) process.kill(pid, 'SIGCONT');
  }

  promote(): void {
    run('pg_ctl', ['promote', '--pgdata', this.data, '--wait']);
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.server!, 'exit');
    this.server!.kill(signal);
    await ended;
  }

  private processes(): number[] {
    if (!this.isRunning) return [];
    const main = this.server!.pid!;
    const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === main);
    return [main, ...children.map(Number)];
  }
}

/** Runs one of PostgreSQL's programs as the account that owns its files. */
export function run(name: string, args: string[]): string {
  return execFileSync(program(name), args, { ...account(), cwd: tmpdir(), encoding: 'utf8', stdio: 'pipe' });
}

function program(name: string): string {
  const versions = readdirSync(VERSIONS, { withFileTypes: true }).map((entry) => entry.name);
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  if (!newest) throw new Error('These tests need PostgreSQL: apt-get install -y postgresql');
  return join(VERSIONS, newest, 'bin', name);
}

/** PostgreSQL refuses to run as root. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!entry) throw new Error('These tests need PostgreSQL: apt-get install -y postgresql');
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gala-server-'));
  mkdirSync(folder, { recursive: true });
  chown(folder);
  return folder;
}

function chown(path: string): void {
  const { uid, gid } = account();
  if (uid !== undefined) chownSync(path, uid, gid!);
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
