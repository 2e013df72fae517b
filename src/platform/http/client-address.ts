import { isIP } from 'node:net';
import type { Request } from 'express';

/** An address with the port that it came from, as some proxies name clients: `203.0.113.7:49152`, `[2001:db8::1]:49152`. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** Where a request comes from: an IP address without port, or `unknown`. Mapped IPv4 addresses are given as IPv4. */
export function clientAddress({ ip }: Request): string {
  const plain = ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(plain) ? plain : 'unknown';
}

/**
 * Takes ports out of X-Forwarded-For, before Express reads it: with them each connection would be a client of its own, and
 * no proxy in the list would be recognised as a trusted one.
 */
export function dropForwardedPorts({ headers }: Pick<Request, 'headers'>): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return;
  const addresses = forwarded.split(',').map((entry) => entry.trim().replace(WITH_PORT, '$1$2'));
  headers['x-forwarded-for'] = addresses.join(', ');
}
