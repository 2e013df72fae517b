import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** In the format of Standard Webhooks 1.0: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
