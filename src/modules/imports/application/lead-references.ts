import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { foldText } from '../../../kernel/text';
import { PipelineQueries } from '../../leads';
import { Members } from '../../workspaces';
import type { CustomField, References } from '../domain/row-plan';

/** What cells can name: stages and members of the workspace, and its custom fields. */
@Injectable()
export class LeadReferences {
  constructor(
    private readonly pipelines: PipelineQueries,
    private readonly members: Members,
  ) {}

  /** Reads only what the fields need. */
  async of(ref: WorkspaceRef, fields: readonly string[]): Promise<References> {
    const needs = new Set(fields);
    return {
      stages: needs.has('stage') ? await this.stages(ref) : new Map<string, string>(),
      owners: needs.has('ownerId') ? await this.owners(ref) : new Map<string, string>(),
      customFields: new Map((await this.customFields(ref)).map((field) => [field.key, field])),
    };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- until there are custom fields
  async customFields(_: WorkspaceRef): Promise<readonly CustomField[]> {
    return [];
  }

  private async stages(ref: WorkspaceRef): Promise<Map<string, string>> {
    const stages = await this.pipelines.stages(ref);
    const active = stages.filter(({ archivedAt }) => !archivedAt);
    const names = active.map(({ name, key }) => [foldText(name), key] as const);
    return new Map([...names, ...active.map(({ key }) => [key, key] as const)]);
  }

  private async owners({ workspaceId }: WorkspaceRef): Promise<Map<string, string>> {
    const { members } = await this.members.list(workspaceId);
    return new Map(members.map(({ email, userId }) => [foldText(email), userId]));
  }
}
