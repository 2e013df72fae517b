import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { LeasedQueue, type QueueWork } from '../../../platform/jobs/leased-queue';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { CheckFile } from '../application/check-file';
import { type CheckClaim, CheckQueue } from '../application/check-queue';

/** Files that this instance checks at the same time, each of another workspace. */
const CAPACITY = 2;

/** Checks uploaded files. */
@Injectable()
export class FileChecker implements QueueWork<CheckClaim>, OnModuleInit {
  readonly name = 'files of imports';
  /** Another instance begins anew, which costs it little. */
  readonly drainMs = 2000;

  constructor(
    private readonly queue: CheckQueue,
    private readonly checkFile: CheckFile,
    private readonly notifications: Notifications,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(new LeasedQueue(this, this.notifications, this.logger));
  }

  async claim(held: readonly CheckClaim[]): Promise<CheckClaim[]> {
    return held.length < CAPACITY ? this.queue.claim(1, held) : [];
  }

  handle(claim: CheckClaim): Promise<void> {
    return this.checkFile.execute(claim);
  }

  release(claims: readonly CheckClaim[]): Promise<void> {
    return this.queue.release(claims);
  }
}
