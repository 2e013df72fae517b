import { Module } from '@nestjs/common';
import { ApiKeysController } from './http/api-keys.controller';
import { AppsController } from './http/apps.controller';
import { AreaGuard } from './http/area';
import { AuditLogController } from './http/audit-log.controller';
import { CalendarController } from './http/calendar.controller';
import { ChannelsController } from './http/channels.controller';
import { HomeController } from './http/home.controller';
import { InvitationController } from './http/invitation.controller';
import { InvitationLinks } from './http/invitation-links';
import { KeyMakers } from './http/key-makers';
import { MembersController } from './http/members.controller';
import { OverviewController } from './http/overview.controller';
import { ProposalsController } from './http/proposals.controller';
import { RequestLogController } from './http/request-log.controller';
import { SettingsNavigation } from './http/settings-navigation';
import { WebhookDeliveriesController } from './http/webhook-deliveries.controller';
import { WebhooksController } from './http/webhooks.controller';
import { WorkspaceController } from './http/workspace.controller';

@Module({
  controllers: [
    HomeController,
    InvitationController,
    OverviewController,
    ProposalsController,
    CalendarController,
    ApiKeysController,
    WebhooksController,
    WebhookDeliveriesController,
    RequestLogController,
    AppsController,
    ChannelsController,
    WorkspaceController,
    MembersController,
    AuditLogController,
  ],
  providers: [AreaGuard, InvitationLinks, KeyMakers, SettingsNavigation],
  exports: [SettingsNavigation],
})
export class SettingsModule {}
