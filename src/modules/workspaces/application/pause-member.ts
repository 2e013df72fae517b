import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseUnlessAtLeast } from '../domain/role';
import { ActingMember } from './acting-member';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';

/** Keeps new leads from a member, or ends that. Everyone may do so for themselves, admins for all. */
@Injectable()
export class PauseMember {
  constructor(
    private readonly members: MemberRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(workspaceId: WorkspaceId, actor: Person, userId: UserId, isPaused: boolean): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { role } = await this.acting.lock(workspaceId, actor);
      if (userId !== actor.id) refuseUnlessAtLeast(role, 'admin');
      const member = await this.members.find(workspaceId, userId);
      if (!member) throw new NotFound('member');
      if (member.isPaused === isPaused) return;
      await this.members.setPaused(workspaceId, userId, isPaused);
      const action: WorkspaceAction = isPaused ? 'member.paused' : 'member.resumed';
      const target = { id: userId, name: member.email };
      await this.auditLog.append({ workspaceId, actor, action, target, details: {} });
    });
  }
}
