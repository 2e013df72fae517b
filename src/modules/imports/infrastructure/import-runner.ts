import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { Retention } from '../../../platform/jobs/retention';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { DropImports } from '../application/drop-imports';
import { ImportLeads, StepFailed } from '../application/import-leads';

/** Imports leads in the background, a step after the other, and drops what has been kept long enough. */
@Injectable()
export class ImportRunner implements OnModuleInit {
  constructor(
    private readonly importLeads: ImportLeads,
    private readonly dropImports: DropImports,
    private readonly jobs: BackgroundJobs,
    private readonly retention: Retention,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) => {
      const [about, cause] = error instanceof StepFailed ? [error.importId, error.cause] : [undefined, error];
      this.logger.warn({ ...describeError(cause), id: about }, 'a step of an import failed');
    };
    this.jobs.register(new WorkLoop(() => this.importLeads.execute(), failed));
    this.retention.add('imports', (signal) => this.dropImports.execute(signal));
  }
}
