import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What another tenant sees while somebody is hostile. */
export interface ProbeReport {
  /** Answers by their status; `failed` counts connections that broke. */
  readonly statuses: Record<string, number>;
  /** The 99th percentile of the durations, in milliseconds. */
  readonly p99Ms: number;
  readonly slowestMs: number;
}

/** A well-behaved client of another tenant, from an address of its own: see probe.mjs. */
export class Probe {
  private readonly process: ChildProcess;
  private readonly started: Promise<unknown>;
  private output = '';

  /** @param localAddress any address of the loopback network is this machine's */
  constructor(baseUrl: string, key: string, localAddress = '127.0.0.9') {
    const options = JSON.stringify({ baseUrl, key, localAddress });
    this.process = spawn(process.execPath, [join(__dirname, 'probe.mjs'), options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.started = once(this.process.stdout!, 'data');
    this.process.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Waits for the answers that are still due. */
  async stop(): Promise<ProbeReport> {
    await this.started;
    const closed = once(this.process, 'close');
    this.process.kill('SIGTERM');
    await closed;
    const { statuses, durations } = JSON.parse(this.output.replace('ready\n', '')) as {
      statuses: Record<string, number>;
      durations: number[];
    };
    const sorted = durations.toSorted((one, other) => one - other);
    return { statuses, p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1]!, slowestMs: sorted.at(-1)! };
  }
}
