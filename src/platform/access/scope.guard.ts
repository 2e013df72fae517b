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
    const missing = access.scopes.filter((scope) => !credential.scopes.includes(scope));
    if (missing.length > 0) throw new Forbidden(missingScopes(missing), access.scopes.join(' '));
    return true;
  }
}

export function missingScopes(scopes: readonly string[]): string {
  return `This needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' and ')}, which the credential does not have.`;
}
