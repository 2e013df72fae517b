import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { InvitationId, WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseUnlessAtLeast, refuseUnlessMayManage } from '../domain/role';
import { ActingMember } from './acting-member';
import { InvitationRepository } from './invitation-repository';
import type { WorkspaceAction } from './workspace-actions';

@Injectable()
export class CancelInvitation {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(workspaceId: WorkspaceId, actor: Person, id: InvitationId): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { role } = await this.acting.lock(workspaceId, actor);
      refuseUnlessAtLeast(role, 'admin');
      const invitation = await this.invitations.find(workspaceId, id, this.clock.now());
      if (!invitation) throw new NotFound('invitation');
      refuseUnlessMayManage(role, invitation.role);
      await this.invitations.remove(workspaceId, id);
      await this.auditLog.append({
        workspaceId,
        actor,
        action: 'invitation.cancelled' satisfies WorkspaceAction,
        target: { id, name: invitation.email },
        details: { role: invitation.role },
      });
    });
  }
}
