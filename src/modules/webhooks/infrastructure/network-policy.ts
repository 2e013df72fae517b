import { parseUrl } from '../../../kernel/url';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Configuration } from '../../../platform/config/configuration';
import { UrlPolicy } from '../application/url-policy';

const MAX_URL_LENGTH = 2000;
/** Public addresses at which clouds serve metadata, secrets included. */
const METADATA = ['168.63.129.16'];
/** Refuses URLs that a parser would silently correct. */
const AS_WRITTEN = /^https?:\/\/([^/?#\s\\]+)(?:[/?#][^\s\\]*)?$/i;
/** All public IPv6. Other addresses are local, or embed an IPv4 address that they may be routed to. */
const [GLOBAL_IPV6, GLOBAL_IPV6_BITS] = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * A host without an allowed address. `reason` is for the operator's log alone: if users could tell unknown names from
 * internal ones, they could explore the operator's network.
 */
export class UndeliverableHost extends Error {
  constructor(
    readonly host: string,
    readonly reason: string,
  ) {
    super('The host has no public address that deliveries can be sent to.');
  }
}

type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void;

/**
 * Keeps deliveries out of the operator's network. When a connection is made, its host name is resolved, all addresses are
 * checked, and the connection goes to one of them. So a name that changes a moment later makes no difference.
 */
@Injectable()
export class NetworkPolicy extends UrlPolicy {
  private readonly allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(
    { webhookAllowedNetworks }: Configuration,
    private readonly resolver: Resolver,
  ) {
    super();
    this.allowed = webhookAllowedNetworks.map((network) => {
      const [address = '', bits] = network.split('/');
      const parsed = ipaddr.parse(address);
      return [parsed, bits === undefined ? (parsed.kind() === 'ipv4' ? 32 : 128) : Number(bits)];
    });
  }

  problem(text: string): string | undefined {
    if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
    const authority = AS_WRITTEN.exec(text)?.[1];
    const url = authority && parseUrl(text);
    if (!url) return 'must be a whole URL that begins with https:// and holds no spaces';
    if (!this.takesProtocol(url)) {
      return 'must begin with https://: by http:// nothing is sent, unless into networks that the service was started with as WEBHOOK_ALLOWED_NETWORKS';
    }
    if (authority.includes('@')) return 'must not hold a user name or password';
    if (url.hash) return 'must not have a fragment';
    const host = hostOf(url);
    const isOwn = /(^|\.)localhost\.?$/i.test(host) && !this.isAllowed('127.0.0.1') && !this.isAllowed('::1');
    if (isOwn || (isIP(host) && !this.permits(host, url.protocol))) {
      return 'must lead to a public address: nothing is sent into private networks, unless the service was started with WEBHOOK_ALLOWED_NETWORKS';
    }
    return undefined;
  }

  /** @throws UndeliverableHost for a forbidden literal address, which no look-up checks */
  checkLiteral(url: URL): void {
    const host = hostOf(url);
    if (isIP(host) && !this.permits(host, url.protocol)) {
      throw new UndeliverableHost(host, 'the address is in a network that deliveries are not sent to');
    }
  }

  /** A look-up to use instead of Node's own. */
  lookupFor(protocol: string) {
    return (hostname: string, options: LookupAllOptions, done: LookupCallback): void => {
      this.resolve(hostname, options).then(
        (addresses) => {
          const refused = addresses.find(({ address }) => !this.permits(address, protocol));
          if (!refused) return done(null, addresses);
          const reason = `${refused.address} is in a network that deliveries are not sent to`;
          done(new UndeliverableHost(hostname, reason), []);
        },
        (error: unknown) => {
          const { code = 'unknown' } = error as NodeJS.ErrnoException;
          done(new UndeliverableHost(hostname, `the name has no address (${code})`), []);
        },
      );
    };
  }

  /** Without the system's resolver: it has a few threads, and names that hang would block them for everybody. */
  private async resolve(hostname: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    if (this.allowed.length > 0) return lookup(hostname, { ...options, all: true });
    const [v4, v6] = await Promise.allSettled([
      this.resolver.resolve4(hostname),
      this.resolver.resolve6(hostname),
    ]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    return found;
  }

  private takesProtocol({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.allowed.length > 0);
  }

  private permits(address: string, protocol: string): boolean {
    if (this.isAllowed(address)) return true;
    return protocol === 'https:' && isPublic(ipaddr.parse(address)) && !METADATA.includes(address);
  }

  private isAllowed(address: string): boolean {
    const parsed = ipaddr.parse(address);
    return this.allowed.some(
      ([network, bits]) => network.kind() === parsed.kind() && (parsed as ipaddr.IPv4).match(network, bits),
    );
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
