import type { ActingRef } from '../../../kernel/actor';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Lead } from '../domain/lead';
import type { StageKey } from '../domain/stage';

/** Leads to write together. */
export interface LeadChanges {
  readonly added: readonly Lead[];
  /** These are locked. */
  readonly changed: readonly Lead[];
  /** Those of them whose former external id another of these leads gets. */
  readonly giving: readonly LeadId[];
  /** The events of each change, in the order of the changes. */
  readonly events: readonly (readonly DomainEvent[])[];
}

export abstract class LeadRepository {
  /** @throws ValidationFailed, like all writes, for an external id that another lead has got meanwhile */
  abstract add(lead: Lead, events: DomainEvent[]): Promise<void>;
  /** Reads a lead and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined>;
  /** Reads those of the leads that exist, and locks them in the order of their ids. */
  abstract lockAll(ref: WorkspaceRef, ids: readonly LeadId[]): Promise<Lead[]>;
  /** At most that many leads of an owner, archived ones too. */
  abstract idsOwnedBy(ref: WorkspaceRef, owner: UserId, atMost: number): Promise<LeadId[]>;
  /** Reads those of the leads that are the owner's once all are locked, and locks them in the order of their ids. */
  abstract lockOwnedBy(ref: WorkspaceRef, owner: UserId, ids: readonly LeadId[]): Promise<Lead[]>;
  /** Reads and locks up to `limit` leads at a stage, archived ones too. Leaves out those that are locked already. */
  abstract lockSomeAt(ref: WorkspaceRef, stage: StageKey, limit: number): Promise<Lead[]>;
  /** Writes a locked lead, and a change of its stage to its history. */
  abstract save(ref: ActingRef, lead: Lead, events: DomainEvent[]): Promise<void>;
  /** Adds and saves many leads in one statement, or two if some are `giving`. */
  abstract saveAll(ref: ActingRef, changes: LeadChanges): Promise<void>;
}
