import { parseUrl } from '../../../kernel/url';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Configuration } from '../../../platform/config/configuration';
import { UrlPolicy } from '../application/url-policy';

const MAX_URL_LENGTH = 2000;
/** Clouds answer there with secrets, although the address is a public one. */
const METADATA = ['168.63.129.16'];
/** What URL parsers would silently mend is a mistake. */
const AS_WRITTEN = /^https?:\/\/([^/?#\s\\]+)(?:[/?#][^\s\\]*)?$/i;
/** All of IPv6 that is given out. The rest is local, or holds an IPv4 address that a router or the system may go to. */
const [GLOBAL_IPV6, GLOBAL_IPV6_BITS] = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * A host that nothing can be delivered to. `reason` is for the operator alone: told apart, unknown names and internal ones
 * would let anyone with an endpoint explore the operator's network.
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
 * Keeps deliveries out of the operator's own network. A name is looked up when a connection is made, every address that
 * it has is checked, and the connection goes to one of those: what the name says a moment later makes no difference.
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

  /** For a connection to that URL: throws for a forbidden literal address, which no name is looked up for. */
  checkLiteral(url: URL): void {
    const host = hostOf(url);
    if (isIP(host) && !this.permits(host, url.protocol)) {
      throw new UndeliverableHost(host, 'the address is in a network that deliveries are not sent to');
    }
  }

  /** In place of Node's own look-up. */
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

  /** Not by the system's resolver, whose few threads a name that hangs would keep from everybody else. */
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
