import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { nameCause } from '../../kernel/current-cause';
import { Unauthorized } from '../../kernel/errors';
import type { Principal } from '../../kernel/principal';
import { countHeader } from '../http/request-input';
import { RouteTable } from '../http/route-table';
import { RateLimits } from '../rate-limiting/rate-limits';
import { needsCredential } from './access.decorators';
import { BearerStrategy } from './bearer.strategy';
import type { Verification } from './credential-verifier';
import { clientAddress } from '../http/client-address';
import { keepToOrigins } from './cross-origin';

/** Authenticates requests that need a credential, and stores the caller as `request.principal`. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly routes: RouteTable,
    private readonly rateLimits: RateLimits,
    strategy: BearerStrategy,
  ) {
    super({
      property: 'principal',
      session: false,
      // By name, Passport would use the strategy of the app that registered last in this process. Given the strategy
      // itself, it stores the request's outcome on it, so each request needs a copy.
      get defaultStrategy() {
        return Object.create(strategy) as never;
      },
    });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!needsCredential(this.routes.of(context).access)) {
      // Public routes of the API, such as the calendar feed, are for programs that aren't web pages.
      if (request.path.startsWith('/v1/')) keepToOrigins(request);
      return true;
    }
    try {
      if (countHeader(request, 'authorization') > 1)
        throw new Unauthorized('Send exactly one Authorization header.', true);
      await super.canActivate(context);
      nameCause(request.principal!.credential);
      return true;
    } catch (error) {
      if (error instanceof Unauthorized && !(error instanceof EndedCredential)) {
        await this.rateLimits.countAddress(request);
      } else {
        await this.rateLimits.stampAddress(request.res!, request.ip);
      }
      throw error;
    }
  }

  override handleRequest<User = Principal>(
    error: Error | null | undefined,
    verification: Verification | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (!verification) throw this.noUsableToken(context.switchToHttp().getRequest<Request>());
    if ('identity' in verification) {
      const { identity } = verification;
      const request = context.switchToHttp().getRequest<Request>();
      keepToOrigins(request, identity.credential.origins);
      return { ...identity, address: clientAddress(request) } as User;
    }
    throw verification.refused === 'ended'
      ? new EndedCredential()
      : new Unauthorized('This credential is not known here. Check that it was copied whole.', true);
  }

  private noUsableToken(request: Request): Unauthorized {
    const given = request.headers.authorization;
    return given === undefined
      ? new Unauthorized('Send your API key in the header Authorization: Bearer <API key>.', false)
      : new Unauthorized('The Authorization header must read: Bearer <API key>.', true);
  }
}

/** Always answered with 401 and not counted against the address: its holder isn't guessing keys. */
class EndedCredential extends Unauthorized {
  constructor() {
    super('This credential was revoked or has expired.', true);
  }
}
