import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { AnnounceResponses } from '../application/announce-responses';

/** Leaves most of a minute for the announcements themselves. */
const INTERVAL_MS = 10_000;

/** Announces first responses and late ones, batch by batch until none is left. */
@Injectable()
export class ResponseJob implements OnModuleInit {
  constructor(
    private readonly announceResponses: AnnounceResponses,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'first responses could not be announced');
    this.jobs.register(new PeriodicWork((signal) => this.announceAll(signal), INTERVAL_MS, failed));
  }

  async announceAll(signal?: AbortSignal): Promise<void> {
    let announced: number;
    do announced = await this.announceResponses.execute();
    while (announced > 0 && !signal?.aborted);
  }
}
