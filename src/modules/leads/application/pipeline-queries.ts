import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { StageView } from '../domain/pipeline-stage';
import type { Automations, Outcome, StageKey } from '../domain/stage';
import { PipelineRepository } from './pipeline-repository';

@Injectable()
export class PipelineQueries {
  constructor(private readonly pipelines: PipelineRepository) {}

  /** In their order, archived ones last. */
  async stages(ref: WorkspaceRef): Promise<StageView[]> {
    return (await this.pipelines.findWithLeads(ref)).views();
  }

  /** @throws NotFound for an unknown key */
  async stage(ref: WorkspaceRef, key: string): Promise<StageView> {
    return (await this.pipelines.findWithLeads(ref)).get(key);
  }

  async automations(ref: WorkspaceRef): Promise<Automations> {
    return (await this.pipelines.find(ref)).automations;
  }

  /** The stages with that outcome at which leads can be. */
  async keysWith(ref: WorkspaceRef, outcome: Outcome): Promise<StageKey[]> {
    return (await this.pipelines.find(ref)).keysWith(outcome);
  }
}
