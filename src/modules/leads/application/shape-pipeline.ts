import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import type { Pipeline } from '../domain/pipeline';
import type { NewStage, StageFields, StageView } from '../domain/pipeline-stage';
import type { Automations } from '../domain/stage';
import type { PipelineAction } from './pipeline-actions';
import { PipelineRepository } from './pipeline-repository';

/** Changes the stages of a workspace in one mode, one change at a time. */
@Injectable()
export class ShapePipeline {
  constructor(
    private readonly pipelines: PipelineRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  add(ref: WorkspaceRef, actor: Actor, fields: NewStage): Promise<StageView> {
    return this.unitOfWork.run(async () => {
      const pipeline = await this.pipelines.lock(ref);
      await this.save(ref, actor, pipeline, pipeline.add(fields, this.clock.now()), {
        action: 'stage.created',
        name: fields.name,
      });
      return pipeline.get(fields.key);
    });
  }

  update(
    ref: WorkspaceRef,
    actor: Actor,
    key: string,
    changes: Partial<StageFields>,
    seen?: Precondition,
  ): Promise<StageView> {
    const update = (pipeline: Pipeline, now: Date) => pipeline.change(key, changes, now);
    return this.change(ref, actor, key, 'stage.updated', update, seen);
  }

  /** @param moveTo the stage that the leads at it move to, required if there are any */
  archive(
    ref: WorkspaceRef,
    actor: Actor,
    key: string,
    moveTo?: string,
    seen?: Precondition,
  ): Promise<StageView> {
    const archive = (pipeline: Pipeline, now: Date) => pipeline.archive(key, moveTo, now);
    return this.change(ref, actor, key, 'stage.archived', archive, seen);
  }

  restore(ref: WorkspaceRef, actor: Actor, key: string, seen?: Precondition): Promise<StageView> {
    const restore = (pipeline: Pipeline, now: Date) => pipeline.restore(key, now);
    return this.change(ref, actor, key, 'stage.restored', restore, seen);
  }

  /** @param keys all stages that aren't archived, in their new order */
  reorder(ref: WorkspaceRef, actor: Actor, keys: readonly string[]): Promise<StageView[]> {
    return this.unitOfWork.run(async () => {
      const pipeline = await this.pipelines.lock(ref);
      const events = pipeline.reorder(keys, this.clock.now());
      await this.save(ref, actor, pipeline, events, { action: 'stage.reordered', name: 'Stages' });
      return pipeline.views();
    });
  }

  automate(ref: WorkspaceRef, actor: Actor, choices: Partial<Automations>): Promise<Automations> {
    return this.unitOfWork.run(async () => {
      const pipeline = await this.pipelines.lock(ref);
      if (pipeline.automate(choices)) {
        await this.save(ref, actor, pipeline, [], { action: 'automation.updated', name: 'Automations' });
      }
      return pipeline.automations;
    });
  }

  private change(
    ref: WorkspaceRef,
    actor: Actor,
    key: string,
    action: PipelineAction,
    apply: (pipeline: Pipeline, now: Date) => DomainEvent[],
    seen?: Precondition,
  ): Promise<StageView> {
    return this.unitOfWork.run(async () => {
      const pipeline = await this.pipelines.lock(ref, key);
      seen?.check(pipeline.get(key));
      const events = apply(pipeline, this.clock.now());
      if (events.length) {
        await this.save(ref, actor, pipeline, events, { action, id: key, name: pipeline.get(key).name });
      }
      return pipeline.get(key);
    });
  }

  private async save(
    { workspaceId, mode }: WorkspaceRef,
    actor: Actor,
    pipeline: Pipeline,
    events: DomainEvent[],
    { action, id = null, name }: { action: PipelineAction; id?: string | null; name: string },
  ): Promise<void> {
    await this.pipelines.save(pipeline, events);
    await this.auditLog.append({ workspaceId, mode, actor, action, target: { id, name } });
  }
}
