import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Lead } from '../domain/lead';

export abstract class LeadRepository {
  abstract add(lead: Lead, events: DomainEvent[]): Promise<void>;
  /** Reads a lead and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: LeadId): Promise<Lead | undefined>;
  /** Writes a locked lead. */
  abstract save(lead: Lead, events: DomainEvent[]): Promise<void>;
}
