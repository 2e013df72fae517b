import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimited } from '../../kernel/errors';
import { countedAs, type Principal } from '../../kernel/principal';
import { Configuration } from '../config/configuration';
import { RateLimiter, type RateState } from './rate-limiter';

const READ_METHODS = new Set(['GET', 'HEAD']);

/** The target of headers: a response, or the raw lines of one that is written by hand. */
interface HeaderSink {
  setHeader(name: string, value: number): unknown;
}

/** Counts requests and sets the three rate limit headers of every response. */
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
   * Counts a read or write of the credential and those that it replaces, and a request of its workspace if that is limited.
   * The headers show the bucket with fewer requests left.
   * @throws RateLimited if either limit is exceeded
   */
  async countCredential(principal: Principal, request: Request): Promise<void> {
    const bucket = READ_METHODS.has(request.method) ? 'reads' : 'writes';
    let state = await this.limiter.consume(bucket, countedAs(principal));
    // A request that the credential's own limit refuses doesn't count for the workspace.
    if (this.hasWorkspaceLimit && !state.exceeded) {
      const workspace = `${principal.workspaceId} ${principal.mode}`;
      const shared = await this.limiter.consume('workspace', workspace);
      if (shared.exceeded || shared.remaining < state.remaining) state = shared;
    }
    stamp(request.res!, state);
    refuseIfExceeded(state);
  }

  /** Counts a request without a valid credential. @throws RateLimited if its address exceeds its limit */
  async countAddress(request: Request): Promise<void> {
    refuseIfExceeded(await this.stampAddress(request.res!, request.ip));
  }

  /** Counts a request by which a browser asks for permission (CORS). @throws RateLimited if its address exceeds its limit */
  async countPreflight(request: Request): Promise<void> {
    const state = await this.limiter.consume('preflights', addressOf(request));
    stamp(request.res!, state);
    refuseIfExceeded(state);
  }

  /** Counts a page per signed-in person, or else per address. @throws RateLimited if the limit is exceeded */
  async countPage(request: Request, personId?: string): Promise<void> {
    refuseIfExceeded(await this.limiter.consume('pages', personId ?? addressOf(request)));
  }

  /** Counts a public request that is neither a page nor the API. @throws RateLimited if its address exceeds its limit */
  async countFile(request: Request): Promise<void> {
    if (request.isCountedAsFile) return;
    request.isCountedAsFile = true;
    refuseIfExceeded(await this.limiter.consume('files', addressOf(request)));
  }

  /** Whether a visit from this address may still be recorded. */
  async allowsVisit(request: Request): Promise<boolean> {
    return !(await this.limiter.consume('visits', addressOf(request))).exceeded;
  }

  /** Counts a question about an object: it and the address have a limit. @throws RateLimited if either is exceeded */
  async countQuestion(request: Request, about: string): Promise<void> {
    refuseIfExceeded(await this.limiter.consume('questions', addressOf(request)));
    refuseIfExceeded(await this.limiter.consume('questionsAbout', about));
  }

  /** Counts without refusing, for responses that are already decided. */
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

export function addressOf({ ip }: Request): string {
  return addressBucket(ip ?? 'unknown');
}

/** IPv6 addresses count by their /64 network, because a host can use any address in it. */
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
