import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Logger } from '../logging/logger';
import { type FromWorker, type ToWorker, WORKER_MARK } from './worker';

/** How long a replacement waits after the first of several ends in a row, and at most. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A worker that lived that long ends a row. */
const STEADY_MS = 60_000;

/** One of the first workers ended before it was ready; it has said itself why. */
export class WorkerFailed extends Error {
  constructor() {
    super('A worker process could not start: see above.');
  }
}

/**
 * Several processes of this program on one port. This one shares out connections, counts the rate limits for all of
 * them, adds up their metrics, and replaces those that end unasked.
 */
export class WorkerPool {
  private readonly aggregator = new AggregatorRegistry();
  private readonly replacements = new Set<NodeJS.Timeout>();
  private endsInARow = 0;
  private isStarting = true;
  private isStopping = false;

  /** @param environment what workers get beside this process's own */
  constructor(
    private readonly count: number,
    private readonly environment: Record<string, string>,
    private readonly logger: Logger,
  ) {
    new RateLimiterClusterMaster();
  }

  /** Resolves to the first one's announcement. The others start after it, and find done what is done once. */
  async start(): Promise<string> {
    const announcement = await this.untilReady(this.fork());
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.untilReady(this.fork())));
    this.isStarting = false;
    return announcement;
  }

  /** Resolves when all have let their requests finish and ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.replacements) clearTimeout(timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        const ended = endOf(worker);
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  private fork(): Worker {
    const worker = cluster.fork({ ...this.environment, [WORKER_MARK]: '1' });
    const startedAt = Date.now();
    this.logger.info({ worker: worker.process.pid }, 'worker started');
    worker.on('message', (message: FromWorker) => {
      if (message.gala === 'metrics') void this.sendMetrics(worker);
      if (message.gala === 'round trip') worker.send({ gala: 'round trip' } satisfies ToWorker);
      if (message.gala === 'closing') closePortOf(worker);
    });
    // Its channel breaks before its end is known: what was to be sent then is of no use to anyone.
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => {
      if (!this.isStarting && !this.isStopping) this.replace(worker, startedAt, { code, signal });
    });
    return worker;
  }

  private async untilReady(worker: Worker): Promise<string> {
    const announced = new Promise<string>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.gala === 'ready') resolve(message.announcement);
      });
    });
    const ended = endOf(worker).then(() => Promise.reject(new WorkerFailed()));
    return Promise.race([announced, ended]);
  }

  private replace(worker: Worker, startedAt: number, how: { code: number; signal: string }): void {
    this.endsInARow = Date.now() - startedAt < STEADY_MS ? this.endsInARow + 1 : 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.endsInARow - 1), MAX_DELAY_MS);
    this.logger.error({ worker: worker.process.pid, ...how, delay }, 'worker ended: it is replaced');
    const timer = setTimeout(() => {
      this.replacements.delete(timer);
      this.fork();
    }, delay);
    this.replacements.add(timer);
  }

  private async sendMetrics(worker: Worker): Promise<void> {
    const metrics = await this.aggregator.clusterMetrics().catch(() => undefined);
    const message: ToWorker = { gala: 'metrics', metrics };
    if (worker.isConnected()) worker.send(message);
  }
}

/** The channel keeps the order: what was handed to the worker before reaches it before the word that this was all. */
function closePortOf(worker: Worker): void {
  worker.disconnect();
  worker.send({ gala: 'closed' } satisfies ToWorker);
}

function endOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => worker.once('exit', resolve));
}
