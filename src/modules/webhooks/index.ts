import type { Feature } from '../../platform/feature';
import { WebhooksModule } from './webhooks.module';

export { type EndpointWithSecret, ManageWebhooks } from './application/manage-webhooks';
export { Redeliver } from './application/redeliver';
export { WebhookQueries } from './application/webhook-queries';
export type { DeliveryView } from './domain/delivery';
export type { WebhookEndpointView } from './domain/webhook-endpoint';

export const webhooks: Feature = {
  module: WebhooksModule,
  scopes: { 'webhooks:write': 'Register webhook endpoints, read them, their deliveries and events' },
  events: { 'webhook.test': 'Someone tries out an endpoint' },
};
