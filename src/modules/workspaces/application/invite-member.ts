import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { Invitation, type IssuedInvitation } from '../domain/invitation';
import { refuseUnlessMayManage } from '../domain/role';
import { ActingMember } from './acting-member';
import { InvitationRepository } from './invitation-repository';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';

/** Limits the emails that one workspace can cause. */
const MAX_INVITATIONS = 100;

@Injectable()
export class InviteMember {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly members: MemberRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Replaces an earlier invitation of the same email address, whose link stops working. */
  execute(
    workspaceId: WorkspaceId,
    actor: Person,
    { email, role }: { email: string; role: Role },
  ): Promise<IssuedInvitation> {
    return this.unitOfWork.run(async () => {
      const { role: actingRole } = await this.acting.lock(workspaceId, actor);
      const now = this.clock.now();
      const former = await this.invitations.findByEmail(workspaceId, email, now);
      refuseUnlessMayManage(actingRole, role, ...(former ? [former.role] : []));
      if (await this.members.findByEmail(workspaceId, email)) refuse('is already a member');
      await this.invitations.removeExpired(workspaceId, now);
      if (former) await this.invitations.remove(workspaceId, former.id);
      else if ((await this.invitations.count(workspaceId, now)) >= MAX_INVITATIONS) {
        refuse(`can’t be invited: ${MAX_INVITATIONS} invitations are pending. Cancel some of them first`);
      }
      const issued = Invitation.issue(workspaceId, { email, role }, actor.id, now);
      await this.invitations.add(issued.invitation);
      await this.auditLog.append({
        workspaceId,
        actor,
        action: 'member.invited' satisfies WorkspaceAction,
        target: { id: issued.invitation.id, name: email },
        details: { role },
      });
      return issued;
    });
  }
}

function refuse(message: string): never {
  throw new ValidationFailed({ field: 'email', message });
}
