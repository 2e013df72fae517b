import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { foldText } from '../../../kernel/text';
import { CustomFieldReader, PipelineQueries } from '../../leads';
import { Members } from '../../workspaces';
import type { CustomFieldRules, References } from '../domain/row-plan';

/** What cells can name: stages and members of the workspace, and its custom fields. */
@Injectable()
export class LeadReferences {
  constructor(
    private readonly pipelines: PipelineQueries,
    private readonly members: Members,
    private readonly fields: CustomFieldReader,
  ) {}

  /** Reads only what the fields need. */
  async of(ref: WorkspaceRef, fields: readonly string[]): Promise<References> {
    const needs = new Set(fields);
    return {
      stages: needs.has('stage') ? await this.stages(ref) : new Map<string, string>(),
      owners: needs.has('ownerId') ? await this.owners(ref) : new Map<string, string>(),
      customFields: await this.customFields(ref),
    };
  }

  customFields(ref: WorkspaceRef): Promise<CustomFieldRules> {
    return this.fields.find(ref);
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
