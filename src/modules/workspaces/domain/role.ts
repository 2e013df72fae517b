import { Forbidden, ValidationFailed } from '../../../kernel/errors';

/** From the least to the most that one may do. */
export const ROLES = ['member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function higherRole(one: Role, other: Role): Role {
  return atLeast(one, other) ? one : other;
}

/** Whether someone with the role `acting` may invite, change or remove someone with the role `other`. */
export function mayManage(acting: Role, other: Role): boolean {
  return atLeast(acting, 'admin') && atLeast(acting, other);
}

export function refuseUnlessAtLeast(acting: Role, least: Role): void {
  if (!atLeast(acting, least)) throw new Forbidden('Only owners and admins may do this. Ask one of them.');
}

/** `others` are all roles that the change touches: those that people have and those that they would get. */
export function refuseUnlessMayManage(acting: Role, ...others: Role[]): void {
  refuseUnlessAtLeast(acting, 'admin');
  if (!others.every((other) => mayManage(acting, other))) {
    throw new Forbidden('Only owners may do this to owners, or make someone an owner. Ask one of them.');
  }
}

/** Without an owner nobody could ever make one again. */
export function refuseToLoseLastOwner(owners: number): void {
  if (owners > 1) return;
  throw new ValidationFailed({
    field: 'role',
    message: 'a workspace needs at least one owner. Make someone else an owner first.',
  });
}
