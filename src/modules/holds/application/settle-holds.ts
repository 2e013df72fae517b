import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { causedBy } from '../../../kernel/current-cause';
import { RateLimited } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { HeldSpaces } from '../../calendar';
import { HoldQueue } from '../domain/hold-queue';
import { settle } from '../domain/settle';
import { HoldRepository } from './hold-repository';
import { saveQueue } from './save-queue';

/** Limits the length of a transaction. */
export const BATCH = 200;
/** The batches that one request does. More are due only after an outage, and the job does them. */
const MOST_BATCHES = 5;
const RETRY_AFTER_SECONDS = 10;

/**
 * Ends holds that are due, and announces deadlines. Reads and changes of a queue do so first, so that a hold that is due
 * counts as ended from that moment on; a job does it for queues that nobody reads. The end of a hold, what it means to
 * others, and their events are one transaction, under the lock of the queue, so that each is told once.
 */
@Injectable()
export class SettleHolds {
  constructor(
    private readonly holds: HoldRepository,
    private readonly spaces: HeldSpaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the time up to which nothing is due any more.
   *
   * @throws RateLimited when more holds are due than a request may end
   */
  async execute(ref: WorkspaceRef): Promise<Date> {
    const now = this.clock.now();
    for (let batches = 0; (await this.holds.due(ref, now, 1)).length > 0; batches++) {
      if (batches === MOST_BATCHES) throw new RateLimited(RETRY_AFTER_SECONDS);
      await this.batch(ref, now);
    }
    return now;
  }

  /** Does what is due longest, for BATCH holds at most. */
  batch(ref: WorkspaceRef, now: Date): Promise<void> {
    return causedBy({ type: 'system', id: null }, () =>
      this.unitOfWork.run(async () => {
        const policy = await this.holds.openQueue(ref);
        const ids = await this.holds.due(ref, now, BATCH);
        const queue = new HoldQueue(await this.holds.around(ref, ids), policy);
        const events = settle(queue, ids, now);
        await saveQueue(this.holds, this.spaces, ref, queue, events);
      }),
    );
  }
}
