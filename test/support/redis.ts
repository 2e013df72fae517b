import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, connect } from 'node:net';

/** A Redis server of one's own, without anything on disk. */
export class TestRedis {
  private process?: ChildProcess;

  private constructor(private readonly port: number) {}

  static async start(): Promise<TestRedis> {
    if (spawnSync('redis-server', ['--version']).error) {
      throw new Error('These tests need redis-server on the PATH: apt-get install -y redis-server');
    }
    const redis = new TestRedis(await freePort());
    await redis.resume();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again, empty, on the same port. */
  async resume(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.process = spawn('redis-server', options, { stdio: 'ignore' });
    while (!(await answers(this.port))) {
      if (this.process.exitCode !== null) throw new Error('redis-server ended at once.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, 'exit');
    process.kill('SIGKILL');
    await ended;
  }

  /** It goes on holding its connections but says nothing more. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.on('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket.on('error', () => settle(false));
  });
}
