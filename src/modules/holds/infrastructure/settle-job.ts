import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceRef } from '../../../kernel/principal';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { HoldRepository } from '../application/hold-repository';
import { SettleHolds } from '../application/settle-holds';

/** Leaves most of a minute for the work itself. */
const INTERVAL_MS = 5_000;

/**
 * Ends holds that are due and announces deadlines until none is left. Queues take turns, so that a long one doesn't keep the
 * others waiting, and one that fails is left to the next run.
 */
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
    const failed = (error: unknown) => this.warn(error);
    this.jobs.register(new PeriodicWork((signal) => this.settleAll(signal), INTERVAL_MS, failed));
  }

  async settleAll(signal?: AbortSignal): Promise<void> {
    const failed = new Set<string>();
    for (;;) {
      const now = this.clock.now();
      const queues = (await this.holds.queuesWithDue(now)).filter((ref) => !failed.has(keyOf(ref)));
      if (queues.length === 0) return;
      for (const ref of queues) {
        if (signal?.aborted) return;
        try {
          await this.settleHolds.batch(ref, now);
        } catch (error) {
          failed.add(keyOf(ref));
          this.warn(error);
        }
      }
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(describeError(error), 'holds that are due could not be ended');
  }
}

function keyOf({ workspaceId, mode }: WorkspaceRef): string {
  return `${workspaceId} ${mode}`;
}
