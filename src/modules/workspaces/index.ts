import type { Feature } from '../../platform/feature';
import { InvitationSchema } from './infrastructure/invitation.schema';
import { WorkspaceSchema } from './infrastructure/workspace.schema';
import { WorkspacesModule } from './workspaces.module';

export { AcceptInvitation } from './application/accept-invitation';
export { CancelInvitation } from './application/cancel-invitation';
export { ChangeMemberRole } from './application/change-member-role';
export { ChangeWorkspace } from './application/change-workspace';
export { CreateWorkspace } from './application/create-workspace';
export { InviteMember } from './application/invite-member';
export { Members, type Membership } from './application/members';
export { PauseMember } from './application/pause-member';
export { RemoveMember } from './application/remove-member';
export { WorkspaceRepository, type WorkspaceOverview } from './application/workspace-repository';
export type { Workspace, WorkspaceSettings } from './domain/workspace';

export const workspaces: Feature = {
  module: WorkspacesModule,
  schemas: [WorkspaceSchema, InvitationSchema],
  scopes: { 'members:read': 'See the members of your workspace: emails and roles' },
};
