import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../kernel/principal';

const ACCESS = 'gala:access';

/** Who may call a route. The service doesn't start if a route doesn't declare it. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'page' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'scope'; readonly scopes: readonly string[] };

/** Whether the route requires a bearer token. Pages don't: they check who is signed in themselves. */
export function needsCredential(
  access: Access,
): access is Exclude<Access, { readonly kind: 'public' | 'page' }> {
  return access.kind === 'credential' || access.kind === 'scope';
}

/** Anyone may call the route without a credential. */
export const Public = () => DeclareAccess({ kind: 'public' });

/** Any valid credential may call the route, regardless of its scopes. */
export const RequireCredential = () => DeclareAccess({ kind: 'credential' });

/** Credentials with all of these scopes may call the route. The scopes must be registered. */
export const RequireScope = (...scopes: [scope: string, ...more: string[]]) =>
  DeclareAccess({ kind: 'scope', scopes: [...new Set(scopes)] });

/** Adds to the declarations of a handler or class. They are all kept, so that the start finds contradictions. */
export function DeclareAccess(access: Access): MethodDecorator & ClassDecorator {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const declaring = (descriptor?.value ?? target) as object;
    Reflect.defineMetadata(ACCESS, [...accessesOf(declaring), access], declaring);
  };
}

/** What a handler or class declares itself, without what its base class declares. */
export function accessesOf(declaring: object): Access[] {
  return (Reflect.getOwnMetadata(ACCESS, declaring) as Access[] | undefined) ?? [];
}

/** The caller of a route that isn't public. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<Request>().principal!,
);
