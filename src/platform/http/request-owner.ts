import type { Request } from 'express';
import { addressBucket } from '../rate-limiting/rate-limits';

/** Whose request it is: of a workspace and one of its credentials, or else of an address. */
export function ownerOf({ principal, ip }: Request): { tenant: string; caller: string } {
  if (principal) return { tenant: principal.workspaceId, caller: principal.credential.id };
  const address = addressBucket(ip ?? 'unknown');
  return { tenant: address, caller: address };
}
