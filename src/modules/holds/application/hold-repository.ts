import type { DomainEvent } from '../../../kernel/domain-event';
import type { CalendarEventId, HoldId, LeadId, SpaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CalendarRange, HeldTime, HoldStanding } from '../../calendar';
import type { Claim, Hold, HoldStatus } from '../domain/hold';
import type { HoldPolicy } from '../domain/hold-policy';
import type { HoldView } from '../domain/hold-view';

/** Each given condition narrows the list further. */
export interface HoldFilter {
  status?: HoldStatus;
  spaceId?: SpaceId;
  leadId?: LeadId;
  group?: string;
  /** Overlaps the range. */
  range?: Partial<CalendarRange>;
  expiresBefore?: Date;
  /** Whether others challenge it. */
  challenged?: boolean;
}

/** A listed hold, with the value that the list is sorted by. */
export interface ListedHold {
  readonly view: HoldView;
  readonly startsAt: Date;
}

export interface StoredPolicy extends HoldPolicy {
  readonly revision: number;
}

/**
 * Holds, and the queue of a workspace and mode, whose lock every change of its holds takes first: the queue is worked out
 * from many rows, and stays as it was read until the unit of work ends.
 */
export abstract class HoldRepository {
  /** Locks the queue. If there is none yet, it makes one. */
  abstract openQueue(ref: WorkspaceRef): Promise<StoredPolicy>;
  abstract policy(ref: WorkspaceRef): Promise<StoredPolicy>;
  /** Writes the policy of a locked queue. */
  abstract savePolicy(ref: WorkspaceRef, policy: StoredPolicy): Promise<void>;
  /** The next position of a locked queue. */
  abstract takePosition(ref: WorkspaceRef): Promise<number>;
  /** The live holds with these ids, those that overlap them, and those that overlap these in turn. */
  abstract around(ref: WorkspaceRef, ids: readonly HoldId[]): Promise<Hold[]>;
  /** The live holds that ask for one of the spaces at that time, by position; at most that many. */
  abstract over(ref: WorkspaceRef, claims: readonly Claim[], atMost: number): Promise<HoldId[]>;
  /** Reads a hold without its claims. */
  abstract byId(ref: WorkspaceRef, id: HoldId): Promise<Hold | undefined>;
  abstract liveInGroup(ref: WorkspaceRef, group: string): Promise<HoldId[]>;
  abstract liveOfLead(
    ref: WorkspaceRef,
    leadId: LeadId,
    limits: { placedBy: Date; atMost: number },
  ): Promise<HoldId[]>;
  /** Live holds about which something is to be done, the longest due first. */
  abstract due(ref: WorkspaceRef, now: Date, atMost: number): Promise<HoldId[]>;
  /** Queues with such holds, each once. */
  abstract queuesWithDue(now: Date): Promise<WorkspaceRef[]>;
  abstract add(hold: Hold, events: readonly DomainEvent[]): Promise<void>;
  /** Writes holds of a locked queue, with their claims. */
  abstract save(ref: WorkspaceRef, holds: readonly Hold[], events: readonly DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: HoldId): Promise<HoldView | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: HoldFilter,
    request: PageRequest<'startsAt'>,
  ): Promise<Slice<ListedHold>>;
  /** By position; undefined for more than `atMost`. */
  abstract times(
    ref: WorkspaceRef,
    range: CalendarRange,
    spaceIds: readonly SpaceId[],
    atMost: number,
  ): Promise<HeldTime[] | undefined>;
  abstract beside(ref: WorkspaceRef, eventId: CalendarEventId): Promise<HoldId | undefined>;
  abstract standings(
    ref: WorkspaceRef,
    eventIds: readonly CalendarEventId[],
  ): Promise<ReadonlyMap<CalendarEventId, HoldStanding>>;
}
