import { Module } from '@nestjs/common';
import { SettingsNavigation } from '../shell';
import { HomeController } from './http/home.controller';
import { InvitationController } from './http/invitation.controller';
import { InvitationLinks } from './http/invitation-links';
import { MembersController } from './http/members.controller';
import { OverviewController } from './http/overview.controller';
import { WorkspaceController } from './http/workspace.controller';

@Module({
  controllers: [
    HomeController,
    InvitationController,
    OverviewController,
    WorkspaceController,
    MembersController,
  ],
  providers: [InvitationLinks],
})
export class SettingsModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add(
      { label: 'Overview', path: '', least: 'member', position: 1 },
      { group: 'Workspace', label: 'General', path: 'workspace', least: 'member', position: 1 },
      { group: 'Workspace', label: 'Members', path: 'members', least: 'member', position: 2 },
    );
  }
}
