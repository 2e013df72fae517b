import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Cookies } from '../../../platform/pages/cookies';
import { Redirection } from '../../../platform/pages/page-renderer';
import { RateLimits } from '../../../platform/rate-limiting/rate-limits';
import type { Visitor } from '../domain/session';
import type { User } from '../domain/user';
import { signInPath } from './return-path';
import { KNOWN_BROWSER_COOKIE, SignedInBrowser } from './signed-in-browser';
import { clientAddress } from '../../../platform/http/client-address';

const MAX_USER_AGENT_LENGTH = 300;

/**
 * Lets in who is signed in, and sends everybody else to sign in and back. People count each for themselves: the office that
 * they share an address with has no part in it.
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
    return true;
  }
}

/** Who is signed in, on pages behind the session guard. */
export const SignedInUser = createParamDecorator((_: unknown, context: ExecutionContext): User =>
  signedInUser(context.switchToHttp().getRequest<Request>()),
);

export function signedInUser(request: Request): User {
  return request.signedInUser as User;
}

/** The same person, as the audit log knows them. */
function personOf(request: Request): Person {
  const { id, email } = signedInUser(request);
  return { type: 'user', id, name: email, address: clientAddress(request) };
}

/** The same, as a parameter. */
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
