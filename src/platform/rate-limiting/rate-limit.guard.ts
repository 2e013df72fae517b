import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { needsCredential } from '../access/access.decorators';
import { RouteTable } from '../http/route-table';
import { RateLimits } from './rate-limits';

const API_PATHS = /^\/(v1|oauth)(\/|$)/;

/** Counts every request that passed the access guard, per credential or address. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly routes: RouteTable,
    private readonly rateLimits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { access, countsItself } = this.routes.of(context);
    if (needsCredential(access)) {
      await this.rateLimits.countCredential(request.principal!, request);
    } else if (API_PATHS.test(request.path)) {
      await this.rateLimits.countAddress(request);
    } else if (!countsItself) {
      await (access.kind === 'page'
        ? this.rateLimits.countPage(request)
        : this.rateLimits.countFile(request));
    }
    return true;
  }
}
