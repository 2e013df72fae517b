import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Lead } from '../domain/lead';

export abstract class LeadRepository {
  abstract add(lead: Lead, events: DomainEvent[]): Promise<void>;
  /** Reads a lead and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined>;
  /** Reads at most that many leads of an owner, archived ones too, and locks them in the order of their ids. */
  abstract lockOwnedBy(ref: WorkspaceRef, owner: UserId, atMost: number): Promise<Lead[]>;
  /** Writes a locked lead. */
  abstract save(lead: Lead, events: DomainEvent[]): Promise<void>;
}
