import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** As Standard Webhooks 1.0 writes them: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
