import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { Forbidden, NotFound } from '../../../kernel/errors';
import type { WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { hashSecretToken } from '../../../kernel/secret-token';
import { foldText } from '../../../kernel/text';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { User } from '../../accounts';
import { AuditLog } from '../../audit-log';
import type { Invitation } from '../domain/invitation';
import { higherRole } from '../domain/role';
import { InvitationRepository } from './invitation-repository';
import { MemberRepository } from './member-repository';
import type { WorkspaceAction } from './workspace-actions';
import { WorkspaceRepository } from './workspace-repository';

@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Makes `user`, who calls from `address`, a member. A member keeps the higher role. */
  execute(token: string, user: User, address: string): Promise<{ workspaceId: WorkspaceId; role: Role }> {
    return this.unitOfWork.run(async () => {
      const { workspaceId, role: offered } = await this.take(token, user);
      const member = await this.members.find(workspaceId, user.id);
      const role = member ? higherRole(member.role, offered) : offered;
      const entry = {
        workspaceId,
        actor: { type: 'user', id: user.id, name: user.email, address } satisfies Person,
        target: { id: user.id, name: user.email },
      };
      if (!member) {
        await this.members.add(workspaceId, user.id, role);
        const action: WorkspaceAction = 'member.joined';
        await this.auditLog.append({ ...entry, action, details: { role } });
      } else if (role !== member.role) {
        await this.members.setRole(workspaceId, user.id, role);
        const action: WorkspaceAction = 'member.role_changed';
        await this.auditLog.append({ ...entry, action, details: { role, previousRole: member.role } });
      }
      return { workspaceId, role };
    });
  }

  /** Reads the invitation under the lock: of several concurrent requests with one token, only one finds it. */
  private async take(token: string, user: User): Promise<Invitation> {
    const now = this.clock.now();
    const invitation = await this.invitations.findByHash(hashSecretToken(token), now);
    if (!invitation) throw new NotFound('invitation');
    if (invitation.emailKey !== foldText(user.email)) {
      throw new Forbidden('This invitation is for another email address. Sign in with that address.');
    }
    const { workspaceId, id } = invitation;
    await this.workspaces.lock(workspaceId);
    if (!(await this.invitations.find(workspaceId, id, now))) throw new NotFound('invitation');
    await this.invitations.remove(workspaceId, id);
    return invitation;
  }
}
