import cluster from 'node:cluster';

/** Tells a process that a worker pool of ours started it: others use node:cluster too, and keep no limits for us. */
export const WORKER_MARK = 'GALA_WORKER';

export const isWorker = cluster.isWorker && process.env[WORKER_MARK] !== undefined;

export type FromWorker =
  | { gala: 'ready'; announcement: string }
  | { gala: 'metrics' }
  | { gala: 'round trip' }
  | { gala: 'closing' };
export type ToWorker =
  /** Undefined when they couldn't be had. */
  { gala: 'metrics'; metrics?: string } | { gala: 'round trip' } | { gala: 'closed' };

/** @param announcement what there is to say once the service is up */
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
 * A word to the primary process and back. It hands over the next connection when it hears that the one before was taken,
 * so while some wait there, at least one gets here before its answer.
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
 * Resolves when this worker is handed no more connections and has taken all that it was handed. One that closed the port
 * by itself would refuse those on their way to it, and the last worker's would hang: nobody is left to take them.
 */
export function closePort(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ gala }: ToWorker) => {
      if (gala === 'closed') resolve();
    });
    // Without any connection there is nothing to wait for, and the channel ends at once, that word with it.
    process.once('disconnect', resolve);
    process.send!({ gala: 'closing' } satisfies FromWorker);
  });
}
