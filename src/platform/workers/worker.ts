import cluster from 'node:cluster';

/** Marks workers of a `WorkerPool`. Other programs use node:cluster too, and their primary counts no rate limits for us. */
export const WORKER_MARK = 'GALA_WORKER';

export const isWorker = cluster.isWorker && process.env[WORKER_MARK] !== undefined;

export type FromWorker =
  | { gala: 'ready'; announcement: string }
  | { gala: 'metrics' }
  | { gala: 'round trip' }
  | { gala: 'closing' };
export type ToWorker =
  /** Undefined when they could not be collected. */
  { gala: 'metrics'; metrics?: string } | { gala: 'round trip' } | { gala: 'closed' };

/** @param announcement printed once the service is up */
export function tellReady(announcement: string): void {
  process.send!({ gala: 'ready', announcement } satisfies FromWorker);
}

/** The metrics of all workers together. */
export function askForMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const heard = (message: ToWorker) => {
      if (message.gala !== 'metrics') return;
      process.off('message', heard);
      if (message.metrics === undefined) reject(new Error('Not every worker has given its metrics.'));
      else resolve(message.metrics);
    };
    process.on('message', heard);
    process.send!({ gala: 'metrics' } satisfies FromWorker);
  });
}

/**
 * Sends a message to the primary process and back. The primary hands over a connection when it learns that the previous one
 * was accepted. So if connections wait there, at least one arrives here before the answer.
 */
export function roundTrip(): Promise<void> {
  return new Promise((resolve) => {
    const heard = ({ gala }: ToWorker) => {
      if (gala === 'round trip') done();
    };
    const done = () => {
      process.off('message', heard).off('disconnect', done);
      resolve();
    };
    process.on('message', heard).once('disconnect', done);
    process.send!({ gala: 'round trip' } satisfies FromWorker);
  });
}

/**
 * Resolves when the primary hands over no more connections and this worker has accepted all of them. A worker that closed the
 * port by itself would refuse connections on their way to it, and those of the last worker would hang.
 */
export function closePort(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ gala }: ToWorker) => {
      if (gala === 'closed') resolve();
    });
    // Without connections to wait for, the channel closes at once, before the answer arrives.
    process.once('disconnect', resolve);
    process.send!({ gala: 'closing' } satisfies FromWorker);
  });
}
