import { Injectable } from '@nestjs/common';
import { causedBy } from '../../../kernel/current-cause';
import { HandOvers } from '../../../kernel/hand-overs';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { MemberRepository } from './member-repository';

/** Objects that one transaction hands over. */
const AT_MOST = 500;

/** Hands over what a leaving member owns, and ends the membership when nothing is left. */
@Injectable()
export class EndMembership {
  constructor(
    private readonly members: MemberRepository,
    private readonly handOvers: HandOvers,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * One step, in a transaction of its own. Instances don't take steps for the same member at once.
   *
   * @returns how many objects it handed over; 0 when nothing is left to do, or another instance is doing it
   */
  async step(workspaceId: WorkspaceId, userId: UserId): Promise<number> {
    return this.unitOfWork.run(async () => {
      const leaving = await this.members.claimLeaving(workspaceId, userId);
      if (!leaving) return 0;
      const { removedBy, successorId } = leaving;
      const moved = await causedBy({ type: 'user', id: removedBy }, () =>
        this.handOvers.run(workspaceId, userId, successorId, AT_MOST),
      );
      if (moved === 0) await this.members.endLeaving(workspaceId, userId);
      return moved;
    });
  }
}
