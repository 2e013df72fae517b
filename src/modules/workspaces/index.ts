import type { Feature } from '../../platform/feature';
import { UserSchema, WorkspaceSchema } from './infrastructure/workspace.schema';
import { WorkspacesModule } from './workspaces.module';

export { CreateWorkspace } from './application/create-workspace';
export { WorkspaceRepository, type WorkspaceOverview } from './application/workspace-repository';

export const workspaces: Feature = { module: WorkspacesModule, schemas: [WorkspaceSchema, UserSchema] };
