import type { Role } from '../../../kernel/role';

export const ROLE_NAMES: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

const ROLE_HINTS: Record<Role, string> = {
  owner: 'Everything, including who is an owner',
  admin: 'Sales data, keys, webhooks, apps, members and settings',
  member: 'Pipeline, proposals, calendar and the list of members',
};

/** An option of a select field, with the rights of the role. */
export function roleOption(role: Role) {
  return { value: role, label: `${ROLE_NAMES[role]}: ${ROLE_HINTS[role].toLowerCase()}` };
}
