import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import type { WorkspaceId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { refuseUnlessAtLeast } from '../domain/role';
import type { Workspace, WorkspaceSettings, WorkspaceInput } from '../domain/workspace';
import { ActingMember } from './acting-member';
import type { WorkspaceAction } from './workspace-actions';
import { WorkspaceRepository } from './workspace-repository';

@Injectable()
export class ChangeWorkspace {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly acting: ActingMember,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(workspaceId: WorkspaceId, actor: Person, settings: WorkspaceInput): Promise<Workspace> {
    return this.unitOfWork.run(async () => {
      const { workspace, role } = await this.acting.lock(workspaceId, actor);
      refuseUnlessAtLeast(role, 'admin');
      const previous = workspace.change(settings);
      if (Object.keys(previous).length === 0) return workspace;
      await this.workspaces.save(workspace);
      await this.auditLog.append({
        workspaceId,
        actor,
        action: 'workspace.updated' satisfies WorkspaceAction,
        target: { id: workspaceId, name: workspace.name },
        details: changesOf(workspace, previous),
      });
      return workspace;
    });
  }
}

/** The new and old value of each changed setting, such as `name` and `previousName`. */
function changesOf(now: WorkspaceSettings, previous: Partial<WorkspaceSettings>): Record<string, string> {
  const changed = Object.entries(previous) as [keyof WorkspaceSettings, string][];
  return Object.fromEntries(
    changed.flatMap(([field, value]) => [
      [field, now[field]],
      [`previous${field.charAt(0).toUpperCase()}${field.slice(1)}`, value],
    ]),
  );
}
