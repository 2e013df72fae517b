import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../kernel/principal';

export const ACCESS = 'gala:access';

/** Who may call a route. The service doesn't start if a route doesn't declare it. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'page' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'scope'; readonly scope: string };

/** Whether the route requires a bearer token. Pages don't: they check who is signed in themselves. */
export function needsCredential(
  access: Access,
): access is Exclude<Access, { readonly kind: 'public' | 'page' }> {
  return access.kind === 'credential' || access.kind === 'scope';
}

/** Anyone may call the route without a credential. */
export const Public = () => SetMetadata(ACCESS, { kind: 'public' } satisfies Access);

/** Any valid credential may call the route, regardless of its scopes. */
export const RequireCredential = () => SetMetadata(ACCESS, { kind: 'credential' } satisfies Access);

/** Credentials with this scope may call the route. The scope must be registered. */
export const RequireScope = (scope: string) => SetMetadata(ACCESS, { kind: 'scope', scope } satisfies Access);

/** The caller of a route that isn't public. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<Request>().principal!,
);
