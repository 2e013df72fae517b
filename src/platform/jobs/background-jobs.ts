import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Work that goes on beside the requests. It begins once the service serves, and not when a command runs. */
export interface BackgroundJob {
  start(): void;
  /** Resolves when nothing of it is under way any more. */
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
