import type { Role } from '../../workspaces';

export const ROLE_NAMES: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

export const ROLE_HINTS: Record<Role, string> = {
  owner: 'Everything, owners included',
  admin: 'Keys, members and settings',
  member: 'Sees the workspace and its members',
};

/** For choosing a role: what it is called and what it may do. */
export function roleOption(role: Role) {
  return { value: role, label: `${ROLE_NAMES[role]}: ${ROLE_HINTS[role].toLowerCase()}` };
}
