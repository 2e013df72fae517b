import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { ChangeProposal } from '../application/change-proposal';
import { ProposalRepository } from '../application/proposal-repository';

const INTERVAL_MS = 60_000;

/** Ends the offers whose last day is over. Several instances may be at it together: each offer ends once. */
@Injectable()
export class ExpiryJob implements BackgroundJob, OnModuleInit {
  private readonly stopping = new AbortController();
  private running?: Promise<void>;

  constructor(
    private readonly proposals: ProposalRepository,
    private readonly changeProposal: ChangeProposal,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(this);
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Until none is left. One that fails keeps no other from its end, and is tried again next time. */
  async expireAll(): Promise<void> {
    let goesOn = true;
    while (goesOn) {
      const overdue = await this.proposals.listOverdue(this.clock.now());
      goesOn = overdue.length > 0;
      for (const { ref, id } of overdue) {
        if (this.stopping.signal.aborted) return;
        await this.changeProposal.expireOverdue(ref, id).catch((error: unknown) => {
          goesOn = false;
          this.logger.warn({ proposal: id, ...describeError(error) }, 'a proposal could not be expired');
        });
      }
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.expireAll().catch((error: unknown) =>
        this.logger.warn(describeError(error), 'overdue proposals could not be expired'),
      );
      await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
