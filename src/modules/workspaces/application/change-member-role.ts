import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { atLeast, type Role } from '../../../kernel/role';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseToLoseLastOwner, refuseUnlessAtLeast, refuseUnlessMayManage } from '../domain/role';
import { ActingMember } from './acting-member';
import { InvitationRepository } from './invitation-repository';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';

@Injectable()
export class ChangeMemberRole {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(workspaceId: WorkspaceId, actor: Person, userId: UserId, role: Role): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { role: actingRole } = await this.acting.lock(workspaceId, actor);
      refuseUnlessAtLeast(actingRole, 'admin');
      const member = await this.members.find(workspaceId, userId);
      if (!member) throw new NotFound('member');
      refuseUnlessMayManage(actingRole, member.role, role);
      if (member.role === role) return;
      if (member.role === 'owner') refuseToLoseLastOwner(await this.members.countOwners(workspaceId));
      await this.members.setRole(workspaceId, userId, role);
      // A member who may no longer give certain roles could have invited themselves with one.
      if (!atLeast(role, member.role)) await this.invitations.removeIssuedBy(workspaceId, userId);
      await this.auditLog.append({
        workspaceId,
        actor,
        action: 'member.role_changed' satisfies WorkspaceAction,
        target: { id: userId, name: member.email },
        details: { role, previousRole: member.role },
      });
    });
  }
}
