import type { AuditActionWords } from '../../audit-log';

/** The audit log's actions on workspaces and members. */
export const WORKSPACE_ACTIONS = {
  'workspace.updated': 'Changed the settings of {target}',
  'member.invited': 'Invited {target} as {role}',
  'member.joined': 'Joined the workspace as {role}',
  'member.role_changed': 'Changed the role of {target} from {previousRole} to {role}',
  'member.removed': 'Removed {target} from the workspace',
  'member.left': 'Left the workspace',
  'member.paused': 'Paused new leads for {target}',
  'member.resumed': 'Resumed new leads for {target}',
  'invitation.cancelled': 'Cancelled the invitation of {target}',
} as const satisfies AuditActionWords;

export type WorkspaceAction = keyof typeof WORKSPACE_ACTIONS;
