import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import type { WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import type { Workspace } from '../domain/workspace';
import { MemberRepository } from './member-repository';
import { WorkspaceRepository } from './workspace-repository';

@Injectable()
export class ActingMember {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
  ) {}

  /**
   * Locks the workspace, and reads the actor's role under the lock. The role may differ from the one at the request's start,
   * and stays until the unit of work ends.
   */
  async lock(workspaceId: WorkspaceId, actor: Person): Promise<{ workspace: Workspace; role: Role }> {
    const workspace = await this.workspaces.lock(workspaceId);
    const member = workspace && (await this.members.find(workspaceId, actor.id));
    if (!member) throw new NotFound('workspace');
    return { workspace, role: member.role };
  }
}
