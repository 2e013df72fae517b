import http from 'node:http';

const INTERVAL_MS = 100;

/** What another tenant sees while somebody is hostile. */
export interface ProbeReport {
  /** Answers by their status; `failed` counts connections that broke. */
  readonly statuses: Record<string, number>;
  /** The 99th percentile of the durations, in milliseconds. */
  readonly p99Ms: number;
  readonly slowestMs: number;
}

/**
 * A well-behaved client of another tenant: asks for one lead every 100 ms, whether or not the answer before has arrived,
 * from an address of its own and over one connection that it keeps, with further ones only while that is busy.
 */
export class Probe {
  private readonly durations: number[] = [];
  private readonly statuses: Record<string, number> = {};
  private readonly pending = new Set<Promise<void>>();
  private readonly agent: http.Agent;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    /** Any address of the loopback network is this machine's. */
    localAddress = '127.0.0.9',
  ) {
    this.agent = new http.Agent({ keepAlive: true, localAddress });
    this.timer = setInterval(() => this.send(), INTERVAL_MS);
  }

  /** Waits for the answers that are still due. */
  async stop(): Promise<ProbeReport> {
    clearInterval(this.timer);
    await Promise.all(this.pending);
    this.agent.destroy();
    const sorted = this.durations.toSorted((one, other) => one - other);
    return {
      statuses: this.statuses,
      p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1]!,
      slowestMs: sorted.at(-1)!,
    };
  }

  private send(): void {
    const sent = this.ask().then((status) => {
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      this.pending.delete(sent);
    });
    this.pending.add(sent);
  }

  private async ask(): Promise<string> {
    const startedAt = performance.now();
    const { hostname, port } = new URL(this.baseUrl);
    const status = await new Promise<string>((resolve) => {
      const headers = { Authorization: `Bearer ${this.key}` };
      http
        .get({ agent: this.agent, hostname, port, path: '/v1/leads?limit=1', headers }, (response) => {
          response.resume();
          response.on('close', () => resolve(response.complete ? String(response.statusCode) : 'failed'));
        })
        .on('error', () => resolve('failed'));
    });
    this.durations.push(performance.now() - startedAt);
    return status;
  }
}
