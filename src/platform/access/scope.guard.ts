import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Forbidden } from '../../kernel/errors';
import { RouteTable } from '../http/route-table';

@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const { access } = this.routes.of(context);
    if (access.kind !== 'scope') return true;
    const { credential } = context.switchToHttp().getRequest<Request>().principal!;
    if (!credential.scopes.includes(access.scope)) {
      throw new Forbidden(
        `This needs the scope ${access.scope}, which the credential does not have.`,
        access.scope,
      );
    }
    return true;
  }
}
