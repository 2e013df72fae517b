import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Pipeline } from '../domain/pipeline';
import type { PipelineStage } from '../domain/pipeline-stage';
import type { StageKey } from '../domain/stage';

/** A workspace's archived stage, whose leads are moved to another one. */
export interface StageMove {
  readonly ref: WorkspaceRef;
  readonly from: StageKey;
  readonly to: StageKey;
}

export abstract class PipelineRepository {
  /** The stages alone, without the numbers of leads. */
  abstract find(ref: WorkspaceRef): Promise<Pipeline>;
  /** The stages with the number of leads at each. */
  abstract findWithLeads(ref: WorkspaceRef): Promise<Pipeline>;
  /**
   * Locks out other changes of the pipeline until the unit of work ends.
   *
   * @param closing a stage that no lead may enter until then. Those that are entering it now are waited for, and counted
   */
  abstract lock(ref: WorkspaceRef, closing?: string): Promise<Pipeline>;
  /** Writes what changed of a locked pipeline. */
  abstract save(pipeline: Pipeline, events: readonly DomainEvent[]): Promise<void>;
  /** Reads an added stage that a lead is to enter, and keeps it from being archived until the unit of work ends. */
  abstract lockForEntry(ref: WorkspaceRef, key: StageKey): Promise<PipelineStage | undefined>;
  /**
   * An archived stage that has leads left, of the next workspace that has one. Others leave it out until the unit of work
   * ends.
   */
  abstract claimMove(after: WorkspaceId | undefined): Promise<StageMove | undefined>;
  /** Ends a claimed move once no lead is at its stage, locked ones included. Returns whether it did. */
  abstract endMove(move: StageMove, now: Date): Promise<boolean>;
}
