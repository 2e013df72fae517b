import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LeadFields } from '../domain/lead';
import type { Pipeline } from '../domain/pipeline';
import type { PipelineStage } from '../domain/pipeline-stage';
import { DEFAULT_AUTOMATIONS, isBuiltIn, type StageKey, type StageRole } from '../domain/stage';
import { LostReasonRepository } from './lost-reason-repository';
import { PipelineRepository } from './pipeline-repository';

/** A stage, and its row unless it is a built-in one. */
export interface Entry {
  readonly key: StageKey;
  readonly stage?: PipelineStage;
}

type StageChoice = Pick<Partial<LeadFields>, 'stage' | 'lostReasonId'>;

/**
 * Finds the stages and reasons that leads get. Built-in stages have no rules and can't be archived, so entering them takes no
 * statement. The row of an added stage is locked, because it could be archived at the same time. Such locks come after those of
 * leads.
 */
@Injectable()
export class StageEntry {
  constructor(
    private readonly pipelines: PipelineRepository,
    private readonly reasons: LostReasonRepository,
  ) {}

  /** Whether `enter` reads anything for these fields. */
  needsReading({ stage, lostReasonId }: StageChoice): boolean {
    return (stage !== undefined && !isBuiltIn(stage)) || (lostReasonId ?? null) !== null;
  }

  /**
   * Before a lead is looked for: whatever the lead, there is no such stage.
   *
   * @throws ValidationFailed for an unknown stage
   */
  async requireKnown(ref: WorkspaceRef, stage: StageKey | undefined): Promise<void> {
    if (stage === undefined || isBuiltIn(stage)) return;
    const pipeline = await this.pipelines.find(ref);
    if (!pipeline.has(stage)) throw unknownStage(pipeline);
  }

  /**
   * Runs in a unit of work, in which the stage that it returns stays as it is. Built-in stages are undefined.
   *
   * @throws ValidationFailed for an unknown or archived stage or reason
   */
  async enter(ref: WorkspaceRef, { stage, lostReasonId }: StageChoice): Promise<PipelineStage | undefined> {
    if (lostReasonId) {
      const reason = await this.reasons.lockForUse(ref, lostReasonId);
      if (!reason || reason.archivedAt) {
        throw new ValidationFailed({
          field: 'lostReasonId',
          message: reason
            ? 'is an archived lost reason; restore it first, or choose another one'
            : 'there is no such lost reason',
        });
      }
    }
    if (stage === undefined || isBuiltIn(stage)) return undefined;
    const entered = await this.pipelines.lockForEntry(ref, stage);
    if (!entered) throw unknownStage(await this.pipelines.find(ref));
    entered.requireActive();
    return entered;
  }

  /** The stage that a fact leads to. If it has just been archived, that is the built-in one. */
  async forFact(ref: WorkspaceRef, pipeline: Pipeline, role: StageRole): Promise<Entry> {
    const key = pipeline.automations[role];
    if (isBuiltIn(key)) return { key };
    const stage = await this.pipelines.lockForEntry(ref, key);
    return stage && !stage.archivedAt ? { key, stage } : { key: DEFAULT_AUTOMATIONS[role] };
  }
}

function unknownStage(pipeline: Pipeline): ValidationFailed {
  return new ValidationFailed({ field: 'stage', message: `must be one of ${pipeline.keys.join(', ')}` });
}
