import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../jobs/background-jobs';
import { PeriodicWork } from '../jobs/periodic-work';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { JobDatabase } from '../persistence/job-database';
import { followCluster } from './event-epoch';

const INTERVAL_MS = 5000;

/** Notices failovers, after which the service goes on without a restart. */
@Injectable()
export class EventEpochs implements OnModuleInit {
  constructor(
    private readonly database: JobDatabase,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'a move of the database could not be checked');
    this.jobs.register(
      new PeriodicWork(() => followCluster((text) => this.database.sql(text)), INTERVAL_MS, failed),
    );
  }
}
