import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Logger } from '../logging/logger';
import { type FromWorker, type ToWorker, WORKER_MARK } from './worker';

/** The delay before a replacement starts: after the first of several exits in a row, and at most. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** After a worker has lived this long, its exit starts a new row. */
const STEADY_MS = 60_000;

/** One of the first workers exited before it was ready, and has logged the reason. */
export class WorkerFailed extends Error {
  constructor() {
    super('A worker process could not start: see above.');
  }
}

/**
 * Runs several worker processes on one port. This process, the primary, distributes connections, counts rate limits for all
 * workers, aggregates their metrics, and replaces workers that exit unexpectedly.
 */
export class WorkerPool {
  private readonly aggregator = new AggregatorRegistry();
  private readonly replacements = new Set<NodeJS.Timeout>();
  private exitsInARow = 0;
  private isStarting = true;
  private isStopping = false;

  /** @param environment additional variables for the workers */
  constructor(
    private readonly count: number,
    private readonly environment: Record<string, string>,
    private readonly logger: Logger,
  ) {
    new RateLimiterClusterMaster();
  }

  /** Resolves to the announcement of the first worker. The others start after it, when one-time work such as migrations is done. */
  async start(): Promise<string> {
    const announcement = await this.untilReady(this.fork());
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.untilReady(this.fork())));
    this.isStarting = false;
    return announcement;
  }

  /** Resolves when all workers have finished their requests and exited. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.replacements) clearTimeout(timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        const exited = exitOf(worker);
        worker.process.kill('SIGTERM');
        await exited;
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
    // The channel to a dying worker breaks before its exit is known. Messages to it are lost, which is harmless.
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
    const exited = exitOf(worker).then(() => Promise.reject(new WorkerFailed()));
    return Promise.race([announced, exited]);
  }

  private replace(worker: Worker, startedAt: number, how: { code: number; signal: string }): void {
    this.exitsInARow = Date.now() - startedAt < STEADY_MS ? this.exitsInARow + 1 : 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.exitsInARow - 1), MAX_DELAY_MS);
    this.logger.error({ worker: worker.process.pid, ...how, delay }, 'worker exited: it is replaced');
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

/** The channel keeps the order, so the worker gets all its connections before the message that there are no more. */
function closePortOf(worker: Worker): void {
  worker.disconnect();
  worker.send({ gala: 'closed' } satisfies ToWorker);
}

function exitOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => worker.once('exit', resolve));
}
