import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/service-process';
import { sql } from '../support/sql';

const DOCUMENTED = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');

/** As docs/operating.md sets it up, but for the addresses and the mode. */
export class PgBouncer {
  private process?: ChildProcess;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(databasePort: number, mode: 'session' | 'transaction'): Promise<PgBouncer> {
    if (spawnSync('pgbouncer', ['--version']).error) {
      throw new Error('These tests need pgbouncer on the PATH: apt-get install -y pgbouncer');
    }
    const folder = mkdtempSync(join(tmpdir(), 'gala-pgbouncer-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    const [, documented] = /```ini\n(\[databases\][^`]+)```/.exec(DOCUMENTED)!;
    const settings = documented!
      .replace(/host=\S+ port=\d+/, `host=127.0.0.1 port=${databasePort} user=postgres`)
      .replace(/listen_port = .*/, `listen_addr = 127.0.0.1\nlisten_port = ${port}`)
      .replace(/pool_mode = .*/, `pool_mode = ${mode}`);
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `${settings}auth_type = any\nunix_socket_dir =\nadmin_users = postgres\n`,
    );
    const pooler = new PgBouncer(folder, port);
    await pooler.run();
    return pooler;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/gala`;
  }

  /** Breaks every connection, to clients and to the server, and comes back. */
  async restart(): Promise<void> {
    await this.end();
    await this.run();
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true });
  }

  private async run(): Promise<void> {
    const asUser = process.getuid?.() === 0 ? ['--user', 'postgres'] : [];
    this.process = spawn('pgbouncer', [...asUser, join(this.folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    for (const giveUpAt = Date.now() + 10_000; ; await sleep(50)) {
      try {
        await sql(this.url, 'SELECT 1');
        return;
      } catch (error) {
        if (this.process.exitCode !== null || Date.now() > giveUpAt) throw error;
      }
    }
  }

  private async end(): Promise<void> {
    const ended = once(this.process!, 'exit');
    this.process!.kill('SIGKILL');
    await ended;
  }
}
