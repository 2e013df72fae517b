import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { WorkspaceRepository } from '../../workspaces';

/** The time zone of a workspace's days. */
@Injectable()
export class WorkspaceTimeZone {
  constructor(private readonly workspaces: WorkspaceRepository) {}

  async of({ workspaceId }: WorkspaceRef): Promise<string> {
    const workspace = await this.workspaces.find(workspaceId);
    if (!workspace) throw new NotFound('workspace');
    return workspace.timeZone;
  }
}
