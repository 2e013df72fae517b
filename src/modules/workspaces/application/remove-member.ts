import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseToLoseLastOwner, refuseUnlessAtLeast, refuseUnlessMayManage } from '../domain/role';
import { ActingMember } from './acting-member';
import { InvitationRepository } from './invitation-repository';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';

/** Everyone may leave. Removing someone else needs the right to manage them. */
@Injectable()
export class RemoveMember {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(workspaceId: WorkspaceId, actor: Person, userId: UserId): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { role: actingRole } = await this.acting.lock(workspaceId, actor);
      const leaves = userId === actor.id;
      if (!leaves) refuseUnlessAtLeast(actingRole, 'admin');
      const member = await this.members.find(workspaceId, userId);
      if (!member) throw new NotFound('member');
      if (!leaves) refuseUnlessMayManage(actingRole, member.role);
      if (member.role === 'owner') refuseToLoseLastOwner(await this.members.countOwners(workspaceId));
      await this.members.remove(workspaceId, userId);
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
    });
  }
}
