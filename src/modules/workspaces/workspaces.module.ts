import { Module } from '@nestjs/common';
import { Mailer } from '../../kernel/mailer';
import { AuditActions } from '../audit-log';
import { Memberships, SettingsNavigation, settingsPath, SetupSteps } from '../shell';
import { AcceptInvitation } from './application/accept-invitation';
import { ActingMember } from './application/acting-member';
import { CancelInvitation } from './application/cancel-invitation';
import { ChangeMemberRole } from './application/change-member-role';
import { ChangeWorkspace } from './application/change-workspace';
import { CreateWorkspace } from './application/create-workspace';
import { EndMembership } from './application/end-membership';
import { InvitationRepository } from './application/invitation-repository';
import { InviteMember } from './application/invite-member';
import { MemberQueries, MemberReader } from './application/member-queries';
import { MemberRepository } from './application/member-repository';
import { Members } from './application/members';
import { PauseMember } from './application/pause-member';
import { RemoveMember } from './application/remove-member';
import { WORKSPACE_ACTIONS } from './application/workspace-actions';
import { WorkspaceRepository } from './application/workspace-repository';
import { MeController } from './http/me.controller';
import { MembersApiController } from './http/members.controller';
import { HandOverJob } from './infrastructure/hand-over-job';
import { PostgresInvitationRepository } from './infrastructure/invitation.repository';
import { PostgresMemberReader } from './infrastructure/member-page.reader';
import { PostgresMemberRepository } from './infrastructure/member.repository';
import { PostgresMembers } from './infrastructure/members.reader';
import { PostgresWorkspaceRepository } from './infrastructure/workspace.repository';
import { HomeController } from './pages/home.controller';
import { InvitationController } from './pages/invitation.controller';
import { InvitationLinks } from './pages/invitation-links';
import { MembersController } from './pages/members.controller';
import { OverviewController } from './pages/overview.controller';
import { WorkspaceController } from './pages/workspace.controller';

const useCases = [
  AcceptInvitation,
  CancelInvitation,
  ChangeMemberRole,
  ChangeWorkspace,
  CreateWorkspace,
  InviteMember,
  MemberQueries,
  PauseMember,
  RemoveMember,
];

@Module({
  controllers: [
    MeController,
    MembersApiController,
    HomeController,
    InvitationController,
    OverviewController,
    WorkspaceController,
    MembersController,
  ],
  providers: [
    ...useCases,
    ActingMember,
    EndMembership,
    HandOverJob,
    InvitationLinks,
    { provide: MemberReader, useClass: PostgresMemberReader },
    { provide: InvitationRepository, useClass: PostgresInvitationRepository },
    { provide: MemberRepository, useClass: PostgresMemberRepository },
    { provide: Members, useClass: PostgresMembers },
    { provide: Memberships, useExisting: Members },
    { provide: WorkspaceRepository, useClass: PostgresWorkspaceRepository },
  ],
  exports: [...useCases, Members, Memberships, WorkspaceRepository],
})
export class WorkspacesModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    steps: SetupSteps,
    mailer: Mailer,
    members: Members,
  ) {
    actions.register(WORKSPACE_ACTIONS);
    steps.add({
      position: 5,
      label: 'Set up email',
      hint: 'The server administrator sets SMTP_URL, so that invitations and notices reach people.',
      path: () => null,
      isDone: () => Promise.resolve(mailer.reach === 'mailbox'),
    });
    steps.add({
      position: 6,
      label: 'Invite a teammate',
      hint: 'Leads and tasks can then be shared out.',
      path: (area) => settingsPath(area, 'members'),
      isDone: (workspaceId) => members.hasTeam(workspaceId),
    });
    navigation.add(
      { label: 'Overview', path: '', least: 'member', position: 1 },
      { group: 'Workspace', label: 'General', path: 'workspace', least: 'member', position: 1 },
      { group: 'Workspace', label: 'Members', path: 'members', least: 'member', position: 2 },
    );
  }
}
