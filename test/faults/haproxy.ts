import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/service-process';

/** Shares requests among instances that are ready, as docs/operating.md recommends. */
const HTTP = `
  mode http
  balance roundrobin
  option httpchk GET /health/ready
  default-server check inter 250ms fall 1 rise 1`;

/** Leads to the first server, and once that is gone to the second. */
const FAILOVER = `
  mode tcp
  default-server check inter 250ms fall 1 rise 1 on-marked-down shutdown-sessions`;

export class Haproxy {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static share(ports: number[]): Promise<Haproxy> {
    return Haproxy.start('http', HTTP, ports);
  }

  static failover(ports: [number, number]): Promise<Haproxy> {
    return Haproxy.start('tcp', FAILOVER, ports);
  }

  private static async start(mode: string, backend: string, ports: number[]): Promise<Haproxy> {
    if (spawnSync('haproxy', ['-v']).error) {
      throw new Error('These tests need haproxy on the PATH: apt-get install -y haproxy');
    }
    const folder = mkdtempSync(join(tmpdir(), 'gala-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const port = await freePort();
    const servers = ports.map((each, index) => {
      const backup = mode === 'tcp' && index > 0 ? ' backup' : '';
      return `  server server${index} 127.0.0.1:${each}${backup}`;
    });
    writeFileSync(
      file,
      `
defaults
  timeout connect 2s
  timeout check 10s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend front
  mode ${mode}
  bind 127.0.0.1:${port}
  default_backend back
backend back${backend}
${servers.join('\n')}
`,
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
