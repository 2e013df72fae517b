import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import { PathId } from '../../../platform/http/path-id';

export const ENDPOINT = new PathId('wh', 'webhook endpoint');
export const DELIVERY = new PathId('del', 'delivery');

export const webhookId = (text: string): WebhookId => ENDPOINT.read(text);
export const deliveryId = (text: string): DeliveryId => DELIVERY.read(text);
