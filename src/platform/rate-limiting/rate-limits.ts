import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimited } from '../../kernel/errors';
import type { Principal } from '../../kernel/principal';
import { Configuration } from '../config/configuration';
import { RateLimiter, type RateState } from './rate-limiter';

const READ_METHODS = new Set(['GET', 'HEAD']);

/** Where headers go: an answer, or the lines of one that is written by hand. */
interface HeaderSink {
  setHeader(name: string, value: number): unknown;
}

/** Counts requests and stamps the three rate headers; every answer's headers are written here. */
@Injectable()
export class RateLimits {
  private readonly hasWorkspaceLimit: boolean;

  constructor(
    private readonly limiter: RateLimiter,
    { rateLimits }: Configuration,
  ) {
    this.hasWorkspaceLimit = rateLimits.workspace !== undefined;
  }

  /**
   * Counts against the caller's reads or writes, and against its workspace's requests if they are limited; throws when
   * either is used up. The headers are those of the bucket with fewer requests left.
   */
  async countCredential(principal: Principal, request: Request): Promise<void> {
    const bucket = READ_METHODS.has(request.method) ? 'reads' : 'writes';
    let state = await this.limiter.consume(bucket, principal.credential.id);
    // What the credential's own limit refuses takes nothing from the rest of the workspace.
    if (this.hasWorkspaceLimit && !state.exceeded) {
      const workspace = `${principal.workspaceId} ${principal.mode}`;
      const shared = await this.limiter.consume('workspace', workspace);
      if (shared.exceeded || shared.remaining < state.remaining) state = shared;
    }
    stamp(request.res!, state);
    refuseIfExceeded(state);
  }

  /** Counts a request that no valid credential came with; throws when its address has used up its share. */
  async countAddress(request: Request): Promise<void> {
    refuseIfExceeded(await this.stampAddress(request.res!, request.ip));
  }

  /** Counts a page against who is signed in there, or else the address; throws when theirs are used up. */
  async countPage(request: Request, personId?: string): Promise<void> {
    refuseIfExceeded(await this.limiter.consume('pages', personId ?? addressOf(request)));
  }

  /** Counts whatever is open to anyone and neither a page nor the API; throws when the address has used up its share. */
  async countFile(request: Request): Promise<void> {
    if (request.isCountedAsFile) return;
    request.isCountedAsFile = true;
    refuseIfExceeded(await this.limiter.consume('files', addressOf(request)));
  }

  /** Whether a visit from this address is still one to take note of. */
  async allowsVisit(request: Request): Promise<boolean> {
    return !(await this.limiter.consume('visits', addressOf(request))).exceeded;
  }

  /** Counts without refusing: for answers that are settled already. */
  async stampAddress(response: HeaderSink, address: string | undefined): Promise<RateState> {
    const state = await this.limiter.consume('address', addressBucket(address ?? 'unknown'));
    stamp(response, state);
    return state;
  }
}

function stamp(response: HeaderSink, { limit, remaining, reset }: RateState): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', reset);
}

function refuseIfExceeded({ exceeded, retryAfter }: RateState): void {
  if (exceeded) throw new RateLimited(retryAfter);
}

function addressOf({ ip }: Request): string {
  return addressBucket(ip ?? 'unknown');
}

/** An IPv6 host chooses freely among 2^64 addresses: its network counts as one caller. */
export function addressBucket(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const end = tail.split(':').filter(Boolean);
    while (groups.length + end.length < 8) groups.push('0');
    groups.push(...end);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
