import type { Cause } from './cause';
import { newId, type EventId } from './ids';
import type { WorkspaceRef } from './principal';

/** A change of a workspace's data, as subscribers and webhook endpoints receive it. */
export interface DomainEvent {
  readonly id: EventId;
  /** `<object>.<what happened>`, such as `lead.created`. */
  readonly type: string;
  readonly workspace: WorkspaceRef;
  readonly timestamp: Date;
  /** The object as the API returns it, after the change. */
  readonly data: object;
  /** On updates: the changed fields alone, with their former values. */
  readonly previous: object | null;
}

/** An event that was appended, together with its cause. */
export interface RecordedEvent extends DomainEvent {
  readonly cause: Cause;
}

export function domainEvent(
  fields: Omit<DomainEvent, 'id' | 'previous'> & { previous?: object },
): DomainEvent {
  return { id: newId('evt'), previous: null, ...fields };
}
