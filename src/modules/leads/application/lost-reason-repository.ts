import type { DomainEvent } from '../../../kernel/domain-event';
import type { LostReasonId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LostReason, LostReasonView } from '../domain/lost-reason';

export interface LostReasonFilter {
  archived: 'false' | 'true' | 'all';
}

/** How many reasons a workspace has, and the one that has a name already, ignoring case. */
export interface ReasonsTaken {
  readonly active: number;
  readonly all: number;
  readonly namesake: LostReasonView | undefined;
}

export abstract class LostReasonRepository {
  /** Locks out other additions and changes until the unit of work ends. Call it before `lock`. */
  abstract lockAll(ref: WorkspaceRef, name?: string): Promise<ReasonsTaken>;
  abstract lock(ref: WorkspaceRef, id: LostReasonId): Promise<LostReason | undefined>;
  /** Reads a reason that a lead is to get, and keeps it from being archived until the unit of work ends. */
  abstract lockForUse(ref: WorkspaceRef, id: LostReasonId): Promise<LostReasonView | undefined>;
  abstract add(reason: LostReason, events: DomainEvent[]): Promise<void>;
  /** Writes a locked reason. */
  abstract save(reason: LostReason, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: LostReasonId): Promise<LostReasonView | undefined>;
  /** By `name`, the only sort. */
  abstract list(
    ref: WorkspaceRef,
    filter: LostReasonFilter,
    request: PageRequest,
  ): Promise<Slice<LostReasonView>>;
}
