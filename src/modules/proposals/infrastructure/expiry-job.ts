import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { ChangeProposal } from '../application/change-proposal';
import { ProposalRepository } from '../application/proposal-repository';

const INTERVAL_MS = 60_000;

/** Expires overdue proposals. Several instances may run it at once; each proposal expires once. */
@Injectable()
export class ExpiryJob implements OnModuleInit {
  constructor(
    private readonly proposals: ProposalRepository,
    private readonly changeProposal: ChangeProposal,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'overdue proposals could not be expired');
    this.jobs.register(new PeriodicWork((signal) => this.expireAll(signal), INTERVAL_MS, failed));
  }

  /** Expires all overdue proposals. One that fails doesn't stop the others, and is retried on the next run. */
  async expireAll(signal?: AbortSignal): Promise<void> {
    let goesOn = true;
    while (goesOn) {
      const overdue = await this.proposals.listOverdue(this.clock.now());
      goesOn = overdue.length > 0;
      for (const { ref, id } of overdue) {
        if (signal?.aborted) return;
        await this.changeProposal.expireOverdue(ref, id).catch((error: unknown) => {
          goesOn = false;
          this.logger.warn({ proposal: id, ...describeError(error) }, 'a proposal could not be expired');
        });
      }
    }
  }
}
