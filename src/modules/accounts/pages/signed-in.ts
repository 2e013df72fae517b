import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { nameCause } from '../../../kernel/current-cause';
import { Cookies } from '../../../platform/pages/cookies';
import { Redirection } from '../../../platform/pages/page-renderer';
import { RateLimits } from '../../../platform/rate-limiting/rate-limits';
import { clientAddress } from '../../../platform/http/client-address';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { signInPath } from './return-path';
import { KNOWN_BROWSER_COOKIE, SignedInBrowser } from './signed-in-browser';

const MAX_USER_AGENT_LENGTH = 300;

/**
 * Admits signed-in people and redirects everyone else to the sign-in page and back. Requests of signed-in people count
 * against a limit of their own, so that colleagues behind one address don't use up each other's.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly browser: SignedInBrowser,
    private readonly rateLimits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = await this.browser.userOf(request);
    await this.rateLimits.countPage(request, user?.id);
    if (!user) throw new Redirection(signInPath(request));
    request.signedInUser = user;
    nameCause({ type: 'user', id: user.id });
    return true;
  }
}

/** The signed-in user, on pages behind the session guard. */
export const SignedInUser = createParamDecorator((_: unknown, context: ExecutionContext): User =>
  signedInUser(context.switchToHttp().getRequest<Request>()),
);

export function signedInUser(request: Request): User {
  return request.signedInUser as User;
}

/** The signed-in user as an actor of the audit log. */
function personOf(request: Request): Person {
  const { id, email } = signedInUser(request);
  return { type: 'user', id, name: email, address: clientAddress(request) };
}

/** The result of `personOf`, as a parameter of a handler. */
export const SignedInPerson = createParamDecorator((_: unknown, context: ExecutionContext): Person =>
  personOf(context.switchToHttp().getRequest<Request>()),
);

export function visitorOf(request: Request, cookies: Cookies): Visitor {
  return {
    address: clientAddress(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    knownBrowser: cookies.get(request, KNOWN_BROWSER_COOKIE),
  };
}
