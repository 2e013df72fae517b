import type { ActingRef } from '../../../kernel/actor';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Lead } from '../domain/lead';
import type { StageKey } from '../domain/stage';

export abstract class LeadRepository {
  abstract add(lead: Lead, events: DomainEvent[]): Promise<void>;
  /** Reads a lead and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined>;
  /** At most that many leads of an owner, archived ones too. */
  abstract idsOwnedBy(ref: WorkspaceRef, owner: UserId, atMost: number): Promise<LeadId[]>;
  /** Reads those of the leads that are the owner's once all are locked, and locks them in the order of their ids. */
  abstract lockOwnedBy(ref: WorkspaceRef, owner: UserId, ids: readonly LeadId[]): Promise<Lead[]>;
  /** Reads and locks up to `limit` leads at a stage, archived ones too. Leaves out those that are locked already. */
  abstract lockSomeAt(ref: WorkspaceRef, stage: StageKey, limit: number): Promise<Lead[]>;
  /** Writes a locked lead, and a change of its stage to its history. */
  abstract save(ref: ActingRef, lead: Lead, events: DomainEvent[]): Promise<void>;
}
