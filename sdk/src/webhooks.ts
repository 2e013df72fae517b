import { Webhook } from 'standardwebhooks';
import type { components } from './schema.js';

export { WebhookVerificationError } from 'standardwebhooks';

/** The event that a webhook delivers. */
export type GalaEvent = components['schemas']['Event'];

/**
 * Returns the event if it was signed with the endpoint's secret within the last five minutes.
 *
 * @param body the received bytes, unparsed
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
): GalaEvent {
  const entries = headers instanceof Headers ? headers.entries() : Object.entries(headers);
  const flat = Object.fromEntries([...entries].map(([name, value]) => [name.toLowerCase(), String(value)]));
  const bytes = typeof body === 'string' ? body : Buffer.from(body);
  return new Webhook(secret).verify(bytes, flat) as GalaEvent;
}
