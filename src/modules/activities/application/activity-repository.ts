import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Activity, ActivityId, ActivityType, ActivityView } from '../domain/activity';

/** Names one activity: its id, and the lead that it has to belong to. */
export interface ActivityKey {
  readonly leadId: LeadId;
  readonly id: ActivityId;
}

export interface ActivityFilter {
  type?: ActivityType;
}

export abstract class ActivityRepository {
  abstract add(activity: Activity, events: DomainEvent[]): Promise<void>;
  abstract findByExternalId(
    ref: WorkspaceRef,
    leadId: LeadId,
    externalId: string,
  ): Promise<ActivityView | undefined>;
  /** Reads an activity and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, key: ActivityKey): Promise<Activity | undefined>;
  /** Writes a locked activity. */
  abstract save(activity: Activity, events: DomainEvent[]): Promise<void>;
  abstract remove(activity: Activity, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, key: ActivityKey): Promise<ActivityView | undefined>;
  abstract list(
    ref: WorkspaceRef,
    leadId: LeadId,
    filter: ActivityFilter,
    request: PageRequest<'at'>,
  ): Promise<Slice<ActivityView>>;
}
