import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Work outside of requests. Jobs start once the service accepts requests; a command of the CLI never starts them. */
export interface BackgroundJob {
  start(): void;
  /** Resolves when no work is in progress any more. */
  stop(): Promise<void>;
}

@Injectable()
export class BackgroundJobs implements BeforeApplicationShutdown {
  private readonly jobs: BackgroundJob[] = [];
  private hasStarted = false;
  private stopping?: Promise<unknown>;

  register(job: BackgroundJob): void {
    this.jobs.push(job);
  }

  start(): void {
    this.hasStarted = true;
    for (const job of this.jobs) job.start();
  }

  async stop(): Promise<void> {
    if (!this.hasStarted) return;
    this.stopping ??= Promise.all(this.jobs.map((job) => job.stop()));
    await this.stopping;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
