import type { Type } from '@nestjs/common';
import type { ScopeRegistry } from '../../kernel/scope-registry';
import { type Access, accessesOf } from './access.decorators';

interface Declaration {
  readonly access: Access;
  /** The class, or class and method, that it stands on. */
  readonly place: string;
}

/**
 * The access that a route declares, on its handler or on its controller.
 *
 * @throws Error when it declares none, several, or a scope that isn't registered
 */
export function declaredAccess(
  controller: Type,
  name: string,
  handler: object,
  scopes: ScopeRegistry,
): Access {
  const where = `${controller.name}.${name}`;
  const [declared, contradicting] = declarationsOf(controller, where, handler);
  if (!declared)
    throw new Error(`${where} must say who may call it: @RequireScope, @RequireCredential or @Public.`);
  if (contradicting) {
    throw new Error(
      `${where} says twice who may call it: ${inWords(declared)} and ${inWords(contradicting)}. ` +
        `Keep one of them. To require several scopes, write @RequireScope('first', 'second').`,
    );
  }
  const { access } = declared;
  if (access.kind !== 'scope') return access;
  if (access.scopes.length === 0)
    throw new Error(
      `${where} requires no scope by @RequireScope(). Name one, or write @RequireCredential().`,
    );
  const unknown = access.scopes.find((scope) => !scopes.has(scope));
  if (unknown !== undefined)
    throw new Error(`${where} requires the scope ${unknown}, which is not registered.`);
  return access;
}

function declarationsOf(controller: Type, where: string, handler: object): Declaration[] {
  const onHandler = accessesOf(handler).map((access) => ({ access, place: where }));
  const onClasses = classesOf(controller).flatMap((declaring) =>
    accessesOf(declaring).map((access) => ({ access, place: declaring.name })),
  );
  return [...onHandler, ...onClasses];
}

/** A class and the classes that it extends. */
function classesOf(type: Type): Type[] {
  const base = Object.getPrototypeOf(type) as Type;
  return base === Function.prototype ? [type] : [type, ...classesOf(base)];
}

function inWords({ access, place }: Declaration): string {
  return `${decoratorOf(access)} on ${place}`;
}

function decoratorOf(access: Access): string {
  switch (access.kind) {
    case 'public':
      return '@Public()';
    case 'page':
      return '@Pages()';
    case 'credential':
      return '@RequireCredential()';
    case 'scope':
      return `@RequireScope(${access.scopes.map((scope) => `'${scope}'`).join(', ')})`;
  }
}
