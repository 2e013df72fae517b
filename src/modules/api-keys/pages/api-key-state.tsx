import { Badge } from '../../../platform/pages/components/badge';
import type { ApiKeyView } from '../domain/api-key';

export function hasEnded({ revokedAt, expiresAt }: ApiKeyView, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}

export function KeyState({ apiKey, now }: { apiKey: ApiKeyView; now: Date }) {
  if (apiKey.revokedAt) return <Badge kind="danger">Revoked</Badge>;
  if (hasEnded(apiKey, now)) return <Badge>Expired</Badge>;
  return <Badge kind="success">Active</Badge>;
}

/** The key's prefix and last four characters. Nothing more of it is stored. */
export function KeyText({ mode, last4 }: ApiKeyView) {
  return (
    <code>
      gala_{mode}_…{last4}
    </code>
  );
}
