import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { EmptyArchivedStages } from '../application/empty-archived-stages';

/** Moves the leads of archived stages in the background. */
@Injectable()
export class StageMover implements OnModuleInit {
  constructor(
    private readonly emptyArchivedStages: EmptyArchivedStages,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'the leads of an archived stage could not be moved');
    this.jobs.register(new WorkLoop(() => this.emptyArchivedStages.execute(), failed));
  }
}
