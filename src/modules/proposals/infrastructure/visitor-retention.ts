import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { clearOldRows } from '../../../platform/persistence/clear-old-rows';
import { Database } from '../../../platform/persistence/database';

const KEEP_MS = 90 * 24 * 3600 * 1000;
const INTERVAL_MS = 3600 * 1000;

/** Forgets visitors of proposals after 90 days. One who comes back after that counts as new. */
@Injectable()
export class VisitorRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'old visitors of proposals could not be deleted');
    this.jobs.register(new PeriodicWork((signal) => this.clear(signal), INTERVAL_MS, failed));
  }

  async clear(signal?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEEP_MS);
    await clearOldRows(this.database, {
      table: 'proposal_visitors',
      column: 'first_seen_at',
      before,
      signal,
    });
  }
}
