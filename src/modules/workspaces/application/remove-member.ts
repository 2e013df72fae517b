import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseToLoseLastOwner, refuseUnlessAtLeast, refuseUnlessMayManage } from '../domain/role';
import { ActingMember } from './acting-member';
import { EndMembership } from './end-membership';
import { InvitationRepository } from './invitation-repository';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';

/** Objects that are handed over before a removal resolves, and less than a step more. */
const MOVED_AT_ONCE = 1000;

/**
 * Everyone may leave. Removing someone else needs the right to manage them. Access ends at once. What the member owns is handed
 * over in steps: the first ones before this resolves, which suffices for most, and the others by a job.
 */
@Injectable()
export class RemoveMember {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly endMembership: EndMembership,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param successorId who takes over the member's leads; null for nobody
   * @throws ValidationFailed `successor` unless it is another member
   */
  execute(
    workspaceId: WorkspaceId,
    actor: Person,
    userId: UserId,
    successorId: UserId | null = null,
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { role: actingRole } = await this.acting.lock(workspaceId, actor);
      const leaves = userId === actor.id;
      if (!leaves) refuseUnlessAtLeast(actingRole, 'admin');
      const member = await this.members.find(workspaceId, userId);
      if (!member) throw new NotFound('member');
      if (!leaves) refuseUnlessMayManage(actingRole, member.role);
      if (member.role === 'owner') refuseToLoseLastOwner(await this.members.countOwners(workspaceId));
      if (successorId) await this.refuseUnlessOther(workspaceId, userId, successorId);
      const leaving = { removedBy: actor.id, successorId };
      await this.members.leave(workspaceId, userId, leaving, this.clock.now());
      // Former members must not return by an invitation that they created for themselves.
      await this.invitations.removeIssuedBy(workspaceId, userId);
      const action: WorkspaceAction = leaves ? 'member.left' : 'member.removed';
      await this.auditLog.append({
        workspaceId,
        actor,
        action,
        target: { id: userId, name: member.email },
        details: { role: member.role },
      });
      this.unitOfWork.afterCommit(() => this.begin(workspaceId, userId));
    });
  }

  private async refuseUnlessOther(workspaceId: WorkspaceId, userId: UserId, other: UserId): Promise<void> {
    if (other !== userId && (await this.members.find(workspaceId, other))) return;
    throw new ValidationFailed({ field: 'successor', message: 'must be another member of the workspace' });
  }

  /** The removal has been committed: a step that fails doesn't undo it, and is left to the job. */
  private async begin(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    for (let left = MOVED_AT_ONCE; left > 0;) {
      const moved = await this.endMembership.step(workspaceId, userId).catch(() => 0);
      if (moved === 0) return;
      left -= moved;
    }
  }
}
