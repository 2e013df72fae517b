import { Module } from '@nestjs/common';
import { SettingsNavigation } from '../shell';
import { AuditLogController } from './http/audit-log.controller';
import { HomeController } from './http/home.controller';
import { InvitationController } from './http/invitation.controller';
import { InvitationLinks } from './http/invitation-links';
import { MembersController } from './http/members.controller';
import { OverviewController } from './http/overview.controller';
import { RequestLogController } from './http/request-log.controller';
import { WorkspaceController } from './http/workspace.controller';

@Module({
  controllers: [
    HomeController,
    InvitationController,
    OverviewController,
    RequestLogController,
    WorkspaceController,
    MembersController,
    AuditLogController,
  ],
  providers: [InvitationLinks],
})
export class SettingsModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add(
      { label: 'Overview', path: '', least: 'member', position: 1 },
      { group: 'Integrations', label: 'Request log', path: ':mode/request-log', least: 'admin', position: 3 },
      { group: 'Workspace', label: 'General', path: 'workspace', least: 'member', position: 1 },
      { group: 'Workspace', label: 'Members', path: 'members', least: 'member', position: 2 },
      { group: 'Workspace', label: 'Audit log', path: 'audit-log', least: 'admin', position: 3 },
    );
  }
}
