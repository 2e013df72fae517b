import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { AcceptInvitation } from './application/accept-invitation';
import { ActingMember } from './application/acting-member';
import { CancelInvitation } from './application/cancel-invitation';
import { ChangeMemberRole } from './application/change-member-role';
import { ChangeWorkspace } from './application/change-workspace';
import { CreateWorkspace } from './application/create-workspace';
import { InvitationRepository } from './application/invitation-repository';
import { InviteMember } from './application/invite-member';
import { MemberRepository } from './application/member-repository';
import { Members } from './application/members';
import { RemoveMember } from './application/remove-member';
import { WORKSPACE_ACTIONS } from './application/workspace-actions';
import { WorkspaceRepository } from './application/workspace-repository';
import { MeController } from './http/me.controller';
import { SqlMemberRepository } from './infrastructure/sql-member-repository';
import { SqlMembers } from './infrastructure/sql-members';
import { TypeOrmInvitationRepository } from './infrastructure/typeorm-invitation-repository';
import { TypeOrmWorkspaceRepository } from './infrastructure/typeorm-workspace-repository';

const useCases = [
  AcceptInvitation,
  CancelInvitation,
  ChangeMemberRole,
  ChangeWorkspace,
  CreateWorkspace,
  InviteMember,
  RemoveMember,
];

@Module({
  controllers: [MeController],
  providers: [
    ...useCases,
    ActingMember,
    { provide: InvitationRepository, useClass: TypeOrmInvitationRepository },
    { provide: MemberRepository, useClass: SqlMemberRepository },
    { provide: Members, useClass: SqlMembers },
    { provide: WorkspaceRepository, useClass: TypeOrmWorkspaceRepository },
  ],
  exports: [...useCases, Members, WorkspaceRepository],
})
export class WorkspacesModule {
  constructor(actions: AuditActions) {
    actions.register(WORKSPACE_ACTIONS);
  }
}
