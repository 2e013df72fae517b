import { NotFound } from '../../../kernel/errors';
import { type DeliveryId, parseId, type WebhookId } from '../../../kernel/ids';

export function webhookId(text: string): WebhookId {
  const id = parseId('wh', text);
  if (!id) throw new NotFound('webhook endpoint');
  return id;
}

export function deliveryId(text: string): DeliveryId {
  const id = parseId('del', text);
  if (!id) throw new NotFound('delivery');
  return id;
}
