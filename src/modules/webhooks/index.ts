import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { WebhookResponse } from './http/webhook.dto';
import { WebhookEndpointSchema } from './infrastructure/webhook-endpoint.schema';
import { WebhooksModule } from './webhooks.module';

export { type EndpointWithSecret, ManageWebhooks } from './application/manage-webhooks';
export { Redeliver } from './application/redeliver';
export type { WebhookSettings } from './domain/webhook-endpoint';
export { deliveryBacklog } from './infrastructure/delivery-backlog';

export const webhooks: Feature = {
  module: WebhooksModule,
  schemas: [WebhookEndpointSchema],
  scopes: {
    'events:read': 'See changes as they happen, of everything that the other permissions can read',
    'webhooks:write':
      'Send events to other systems: changes to API keys and apps, and to everything that the other permissions can read',
  },
  events: readableWith(
    'webhooks:write',
    { 'webhook.test': 'A test event was sent to an endpoint' },
    {},
    WebhookResponse,
  ),
};
