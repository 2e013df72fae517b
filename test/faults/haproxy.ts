import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/service-process';

const DOCUMENTED = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');

/** As docs/operating.md gives it, but for the addresses. */
function documentedBackend(name: string, ports: number[]): string {
  const [block] = new RegExp(`^backend ${name}\\n(?: {2}.+\\n)+`, 'm').exec(DOCUMENTED)!;
  const rest = [...ports];
  return block.replaceAll(
    /^( +server \S+) \S+/gm,
    (_line, server: string) => `${server} 127.0.0.1:${rest.shift()}`,
  );
}

export class Haproxy {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Shares requests among the instances that are ready. */
  static share(ports: [number, number]): Promise<Haproxy> {
    return Haproxy.start('http', 'gala', ports);
  }

  /** Leads to the first server, and once that is gone to the second. */
  static failover(ports: [number, number]): Promise<Haproxy> {
    return Haproxy.start('tcp', 'database', ports);
  }

  private static async start(mode: string, backend: string, ports: number[]): Promise<Haproxy> {
    if (spawnSync('haproxy', ['-v']).error) {
      throw new Error('These tests need haproxy on the PATH: apt-get install -y haproxy');
    }
    const folder = mkdtempSync(join(tmpdir(), 'gala-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const port = await freePort();
    writeFileSync(
      file,
      `
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend front
  mode ${mode}
  bind 127.0.0.1:${port}
  default_backend ${backend}
${documentedBackend(backend, ports)}`,
    );
    const process = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    const haproxy = new Haproxy(process, folder, port);
    while (!(await haproxy.listens())) {
      if (process.exitCode !== null) throw new Error(`haproxy refuses ${file}.`);
      await sleep(50);
    }
    return haproxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true });
  }

  private listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
  }
}
