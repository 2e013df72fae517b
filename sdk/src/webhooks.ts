import { Webhook, WebhookVerificationError as Refusal } from 'standardwebhooks';
import type { webhooks } from './schema.js';

/** The headers or the signature of a received webhook aren't right. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * The event that a webhook delivers: its `type` tells the type of its `data`.
 *
 * `Webhooks` are the webhooks that openapi-typescript generates from a service's /openapi.json. The default is Gala's own,
 * without extensions.
 */
export type GalaEvent<Webhooks = webhooks> = {
  [Type in keyof Webhooks]: Webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } };
  }
    ? Event
    : never;
}[keyof Webhooks];

/**
 * Returns the event if it was signed with the endpoint's secret within the last five minutes.
 *
 * @param body the received bytes, unparsed
 * @throws WebhookVerificationError
 */
export function verifyWebhook<Webhooks = webhooks>(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
): GalaEvent<Webhooks> {
  const entries = headers instanceof Headers ? headers.entries() : Object.entries(headers);
  const flat = Object.fromEntries([...entries].map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  try {
    return new Webhook(secret).verify(text, flat) as GalaEvent<Webhooks>;
  } catch (error) {
    // The library's declarations need the types of Node, so they stay out of ours.
    throw error instanceof Refusal ? new WebhookVerificationError(error.message) : error;
  }
}
