import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { HoldId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HeldSpaces } from '../../calendar';
import { challengeDeadline } from '../domain/deadlines';
import type { HoldView } from '../domain/hold-view';
import { HoldQueues } from './hold-queues';

/** A hold challenges all that are ahead of it: each has to be confirmed or released by the deadline, or lapses. */
@Injectable()
export class ChallengeHolds {
  constructor(
    private readonly queues: HoldQueues,
    private readonly spaces: HeldSpaces,
  ) {}

  /** @throws ValidationFailed for the first in the queue, and one that challenges already */
  challenge(
    ref: WorkspaceRef,
    id: HoldId,
    written: Date | undefined,
    seen?: Precondition,
  ): Promise<HoldView> {
    return this.queues.change(ref, id, seen, async ({ hold, queue, now, policy }) => {
      hold.requireLive(now);
      await this.spaces.lock(ref, hold.spaceIds);
      const ahead = queue.ahead(hold);
      if (ahead.length === 0) refuse('rank', 'nobody is ahead of it: confirm it');
      if (hold.challengeDeadline) {
        if (!written || written.getTime() === hold.challengeDeadline.getTime()) return [];
        refuse(
          'deadline',
          `it challenges already, until ${hold.challengeDeadline.toISOString()}; withdraw first`,
        );
      }
      const deadline = challengeDeadline(written, hold.mode, ahead, policy, now);
      const apply = () => void (hold.challengeDeadline = deadline);
      return queue.act({ at: now, subjects: [hold], type: 'hold.updated', apply });
    });
  }

  withdraw(ref: WorkspaceRef, id: HoldId, seen?: Precondition): Promise<HoldView> {
    return this.queues.change(ref, id, seen, ({ hold, queue, now }) => {
      hold.requireLive(now);
      if (!hold.challengeDeadline) refuse('status', 'it challenges nobody');
      const apply = () => void (hold.challengeDeadline = null);
      return queue.act({ at: now, subjects: [hold], type: 'hold.updated', apply });
    });
  }
}

function refuse(field: string, message: string): never {
  throw new ValidationFailed({ field, message });
}
