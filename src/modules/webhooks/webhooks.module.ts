import { Resolver } from 'node:dns/promises';
import { Module } from '@nestjs/common';
import { Retention } from '../../platform/jobs/retention';
import { AuditActions } from '../audit-log';
import { OverviewParts, SettingsNavigation, settingsPath, SetupSteps } from '../shell';
import { ChangeFeed, ChangeReader } from './application/change-feed';
import { DeliveryRepository } from './application/delivery-repository';
import { DisabledNotice } from './application/disabled-notice';
import { EventAccess } from './application/event-access';
import { EventQueries, EventReader } from './application/event-queries';
import { ManageWebhooks } from './application/manage-webhooks';
import { Redeliver } from './application/redeliver';
import { UrlPolicy } from './application/url-policy';
import { WEBHOOK_ACTIONS } from './application/webhook-actions';
import { WebhookQueries } from './application/webhook-queries';
import { WebhookRepository } from './application/webhook-repository';
import { ChangesController } from './http/changes.controller';
import { DeliveriesController } from './http/deliveries.controller';
import { EventsController } from './http/events.controller';
import { WebhooksController } from './http/webhooks.controller';
import { PostgresChangeReader } from './infrastructure/change.reader';
import { DeliveryQueue } from './infrastructure/delivery-queue';
import { NetworkPolicy } from './infrastructure/network-policy';
import { PostgresDeliveryRepository } from './infrastructure/delivery.repository';
import { PostgresEventReader } from './infrastructure/event.reader';
import { PostgresWebhookRepository } from './infrastructure/webhook.repository';
import { StoredEventTypes } from './infrastructure/stored-event-types';
import { WebhookDispatcher } from './infrastructure/webhook-dispatcher';
import { WebhookMetrics } from './infrastructure/webhook-metrics';
import { WebhookSender } from './infrastructure/webhook-sender';
import { DeliveryPagesController } from './pages/delivery-pages.controller';
import { FailingEndpoints } from './pages/failing-endpoints';
import { WebhookPagesController } from './pages/webhook-pages.controller';

const KEEP_MS = 30 * 24 * 3600 * 1000;

@Module({
  controllers: [
    WebhooksController,
    DeliveriesController,
    EventsController,
    ChangesController,
    WebhookPagesController,
    DeliveryPagesController,
  ],
  providers: [
    ChangeFeed,
    DeliveryQueue,
    DisabledNotice,
    EventAccess,
    EventQueries,
    FailingEndpoints,
    ManageWebhooks,
    NetworkPolicy,
    Redeliver,
    StoredEventTypes,
    WebhookDispatcher,
    WebhookMetrics,
    WebhookQueries,
    WebhookSender,
    { provide: ChangeReader, useClass: PostgresChangeReader },
    { provide: DeliveryRepository, useClass: PostgresDeliveryRepository },
    { provide: EventReader, useClass: PostgresEventReader },
    { provide: Resolver, useFactory: () => new Resolver({ timeout: 2000, tries: 2 }) },
    { provide: UrlPolicy, useExisting: NetworkPolicy },
    { provide: WebhookRepository, useClass: PostgresWebhookRepository },
  ],
  exports: [ManageWebhooks, Redeliver],
})
export class WebhooksModule {
  constructor(
    actions: AuditActions,
    retention: Retention,
    navigation: SettingsNavigation,
    overview: OverviewParts,
    failing: FailingEndpoints,
    steps: SetupSteps,
    queries: WebhookQueries,
  ) {
    overview.add(failing);
    steps.add({
      position: 4,
      label: 'Connect a webhook endpoint',
      hint: 'Your own systems hear of new leads at once. Done when an endpoint answers its test event.',
      path: (area) => settingsPath(area, `${area.mode}/webhooks`),
      isDone: (workspaceId) => queries.hasVerified(workspaceId),
    });
    actions.register(WEBHOOK_ACTIONS);
    retention.keep('webhook_deliveries', 'created_at', KEEP_MS);
    retention.keep('events', 'occurred_at', KEEP_MS);
    navigation.add({
      group: 'Integrations',
      label: 'Webhooks',
      path: ':mode/webhooks',
      least: 'admin',
      position: 2,
    });
  }
}
