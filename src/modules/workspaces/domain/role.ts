import { Forbidden, ValidationFailed } from '../../../kernel/errors';
import { atLeast, type Role } from '../../../kernel/role';

export function higherRole(one: Role, other: Role): Role {
  return atLeast(one, other) ? one : other;
}

/** Whether someone with the role `acting` may invite, change or remove someone with the role `other`. */
export function mayManage(acting: Role, other: Role): boolean {
  return atLeast(acting, 'admin') && atLeast(acting, other);
}

export function refuseUnlessAtLeast(acting: Role, least: Role): void {
  if (!atLeast(acting, least)) throw new Forbidden('Only owners and admins can do this.');
}

/** @param others the member's roles before and after the change */
export function refuseUnlessMayManage(acting: Role, ...others: Role[]): void {
  refuseUnlessAtLeast(acting, 'admin');
  if (!others.every((other) => mayManage(acting, other))) {
    throw new Forbidden('Only owners can change an owner or make someone an owner.');
  }
}

/** Only an owner can make another owner, so the last one must stay. */
export function refuseToLoseLastOwner(owners: number): void {
  if (owners > 1) return;
  throw new ValidationFailed({
    field: 'role',
    message: 'a workspace needs at least one owner. Make someone else an owner first.',
  });
}
