import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadFieldId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LeadField, LeadFieldView } from '../domain/lead-field';

export interface LeadFieldFilter {
  archived: 'false' | 'true' | 'all';
}

export abstract class LeadFieldRepository {
  /** All fields in their order, archived ones included. */
  abstract findAll(ref: WorkspaceRef): Promise<LeadField[]>;
  /** The same, and locks out other additions and changes until the unit of work ends. */
  abstract lockAll(ref: WorkspaceRef): Promise<LeadField[]>;
  abstract add(field: LeadField, events: DomainEvent[]): Promise<void>;
  /** Writes a locked field. */
  abstract save(field: LeadField, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: LeadFieldId): Promise<LeadFieldView | undefined>;
  /** By `position`, the only sort. */
  abstract list(
    ref: WorkspaceRef,
    filter: LeadFieldFilter,
    request: PageRequest,
  ): Promise<Slice<LeadFieldView>>;
}
