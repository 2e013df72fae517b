import { Webhook } from 'standardwebhooks';
import type { components } from './schema.js';

export { WebhookVerificationError } from 'standardwebhooks';

/** What a webhook delivers. */
export type GalaEvent = components['schemas']['Event'];

/**
 * The event, if it is genuine: signed with the endpoint's secret within the last five minutes. Otherwise throws a
 * `WebhookVerificationError`. `body` has to be the very bytes that came, before anything parsed them.
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
