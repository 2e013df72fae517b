import cluster from 'node:cluster';

/** Tells a process that a worker pool of ours started it: others use node:cluster too, and keep no limits for us. */
export const WORKER_MARK = 'GALA_WORKER';

export const isWorker = cluster.isWorker && process.env[WORKER_MARK] !== undefined;

export type FromWorker = { gala: 'ready'; announcement: string } | { gala: 'metrics' };
export interface ToWorker {
  gala: 'metrics';
  /** Undefined when they couldn't be had. */
  metrics?: string;
}

/** @param announcement what there is to say once the service is up */
export function tellReady(announcement: string): void {
  process.send!({ gala: 'ready', announcement } satisfies FromWorker);
}

/** The metrics of all workers together. */
export function askForMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const heard = ({ gala, metrics }: Partial<ToWorker>) => {
      if (gala !== 'metrics') return;
      process.off('message', heard);
      if (metrics === undefined) reject(new Error('Not every worker has given its metrics.'));
      else resolve(metrics);
    };
    process.on('message', heard);
    process.send!({ gala: 'metrics' } satisfies FromWorker);
  });
}
