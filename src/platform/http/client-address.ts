import type { Request } from 'express';

/** Where a request comes from. A socket for both kinds of addresses shows those of IPv4 as mapped ones: they aren't kept so. */
export function clientAddress({ ip }: Request): string {
  return ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unknown';
}
