import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../platform/jobs/periodic-work';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { EndMembership } from '../application/end-membership';
import { MemberRepository } from '../application/member-repository';

const INTERVAL_MS = 5000;

/** Finishes what removals of members have begun, also after a crash. A step that fails is retried on the next run. */
@Injectable()
export class HandOverJob implements OnModuleInit {
  constructor(
    private readonly members: MemberRepository,
    private readonly endMembership: EndMembership,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(new PeriodicWork((signal) => this.runAll(signal), INTERVAL_MS, this.warn));
  }

  async runAll(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.stepForEach(signal)) > 0);
  }

  /** One step for each leaving member, so that none waits for all that another one owns. Resolves to what was moved. */
  private async stepForEach(signal?: AbortSignal): Promise<number> {
    let moved = 0;
    for (const { workspaceId, userId } of await this.members.listLeaving()) {
      if (signal?.aborted) break;
      moved += await this.endMembership.step(workspaceId, userId).catch(this.warn);
    }
    return moved;
  }

  private readonly warn = (error: unknown): number => {
    this.logger.warn(describeError(error), 'what a removed member owns could not be handed over');
    return 0;
  };
}
