import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { HoldRepository } from '../application/hold-repository';
import { SettleHolds } from '../application/settle-holds';

/** Leaves most of a minute for the work itself. */
const INTERVAL_MS = 5_000;
/** The holds whose queues are looked up at once. */
const LOOKED_UP = 500;

/** Ends holds that are due and announces deadlines, queue by queue until none is left. */
@Injectable()
export class SettleJob implements OnModuleInit {
  constructor(
    private readonly holds: HoldRepository,
    private readonly settleHolds: SettleHolds,
    private readonly clock: Clock,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'holds that are due could not be ended');
    this.jobs.register(new PeriodicWork((signal) => this.settleAll(signal), INTERVAL_MS, failed));
  }

  async settleAll(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const queues = await this.holds.queuesWithDue(this.clock.now(), LOOKED_UP);
      if (queues.length === 0) return;
      for (const ref of queues) {
        if (signal?.aborted) return;
        await this.settleHolds.execute(ref, Infinity);
      }
    }
  }
}
