import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { Unauthorized } from '../../kernel/errors';
import type { Principal } from '../../kernel/principal';
import { RouteTable } from '../http/route-table';
import { RateLimits } from '../rate-limiting/rate-limits';
import type { Verification } from './credential-verifier';

/** Lets in whoever shows a valid credential, and knows them from then on as `request.principal`. */
@Injectable()
export class AccessGuard extends AuthGuard('bearer') {
  constructor(
    private readonly routes: RouteTable,
    private readonly rateLimits: RateLimits,
  ) {
    super({ property: 'principal', session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.routes.of(context).access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    try {
      if (hasTwoAuthorizations(request))
        throw new Unauthorized('Send exactly one Authorization header.', true);
      return (await super.canActivate(context)) as boolean;
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
    if (!verification) throw this.nothingUsable(context.switchToHttp().getRequest<Request>());
    if ('principal' in verification) return verification.principal as User;
    throw verification.refused === 'ended'
      ? new EndedCredential()
      : new Unauthorized('This credential is not known here. Check that it was copied whole.', true);
  }

  private nothingUsable(request: Request): Unauthorized {
    const given = request.headers.authorization;
    return given === undefined
      ? new Unauthorized('Send your API key in the header Authorization: Bearer <API key>.', false)
      : new Unauthorized('The Authorization header must read: Bearer <API key>.', true);
  }
}

/** Its holder once was let in: told so always, and not mistaken for someone who tries keys out. */
class EndedCredential extends Unauthorized {
  constructor() {
    super('This credential was revoked or has expired.', true);
  }
}

/** Node keeps the first of several in `headers`, another server on the way may go by the last. */
function hasTwoAuthorizations({ rawHeaders }: Request): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}
