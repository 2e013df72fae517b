import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { WorkspaceRepository } from '../../workspaces';

/** The time zone of the days on which a workspace's tasks are due. */
@Injectable()
export class WorkspaceDays {
  constructor(private readonly workspaces: WorkspaceRepository) {}

  /** Reads the time zone only if one of these days needs it. */
  async zoneFor({ workspaceId }: WorkspaceRef, ...days: (string | null | undefined)[]): Promise<string> {
    if (!days.some((day) => day)) return 'UTC';
    const workspace = await this.workspaces.find(workspaceId);
    if (!workspace) throw new NotFound('workspace');
    return workspace.timeZone;
  }
}
