import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../kernel/principal';

export const ACCESS = 'gala:access';

/** Who may call a route. Every route says it; one that doesn't stops the service from starting. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'page' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'scope'; readonly scope: string };

/** Whether a bearer token opens the route: pages are for people, and see to it themselves who is let in. */
export function needsCredential(
  access: Access,
): access is Exclude<Access, { readonly kind: 'public' | 'page' }> {
  return access.kind === 'credential' || access.kind === 'scope';
}

/** Anyone may call it, without a credential. */
export const Public = () => SetMetadata(ACCESS, { kind: 'public' } satisfies Access);

/** Any valid credential may call it, whatever its scopes. */
export const RequireCredential = () => SetMetadata(ACCESS, { kind: 'credential' } satisfies Access);

/** A credential with this scope may call it. The scope must be registered. */
export const RequireScope = (scope: string) => SetMetadata(ACCESS, { kind: 'scope', scope } satisfies Access);

/** The caller of a route that isn't public. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<Request>().principal!,
);
