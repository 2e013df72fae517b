import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChatIdentities } from '../domain/chat-identity';

/**
 * Stores opt-outs by phone number, in every spelling, and by user id. An opt-out belongs to a person, so it applies to every
 * lead with one of these identities.
 */
export abstract class ConsentRepository {
  /** The time of the earliest opt-out among these identities, or undefined if none has opted out. */
  abstract optedOutAt(ref: WorkspaceRef, identities: ChatIdentities): Promise<Date | undefined>;
  /** The caller must hold the lock on the conversations. User ids that aren't stored yet are ignored. */
  abstract optOut(
    ref: WorkspaceRef,
    identities: ChatIdentities,
    now: Date,
    events: DomainEvent[],
  ): Promise<void>;
  abstract optIn(ref: WorkspaceRef, identities: ChatIdentities, events: DomainEvent[]): Promise<void>;
}
