import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { AnnounceDueTasks } from '../application/announce-due-tasks';

/** Leaves most of a minute for the announcements themselves. */
const INTERVAL_MS = 10_000;

/** Announces due tasks, batch by batch until none is left. */
@Injectable()
export class DueJob implements OnModuleInit {
  constructor(
    private readonly announceDueTasks: AnnounceDueTasks,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'due tasks could not be announced');
    this.jobs.register(new PeriodicWork((signal) => this.announceAll(signal), INTERVAL_MS, failed));
  }

  async announceAll(signal?: AbortSignal): Promise<void> {
    let announced: number;
    do announced = await this.announceDueTasks.execute();
    while (announced > 0 && !signal?.aborted);
  }
}
