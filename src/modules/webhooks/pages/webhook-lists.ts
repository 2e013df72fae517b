import type { WebhookId } from '../../../kernel/ids';
import { type Area, refOf } from '../../shell';
import type { DeliveryStatus } from '../domain/delivery';

export function endpointList(area: Area) {
  return { list: 'webhooks', filters: refOf(area), ...newestFirst('wh') };
}

export function deliveryList(area: Area, endpoint: WebhookId, filter: { status?: DeliveryStatus } = {}) {
  return {
    list: 'webhook-deliveries',
    filters: { ...refOf(area), endpoint, ...filter },
    ...newestFirst('del'),
  };
}

function newestFirst(idPrefix: string) {
  return { sort: { field: 'createdAt', descending: true }, kind: 'instant', idPrefix } as const;
}
