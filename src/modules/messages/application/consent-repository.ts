import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChatIdentities } from '../domain/chat-identity';

/**
 * Opt-outs, by phone number in each of its spellings and by user id. They are the decision of a person, and apply to each
 * lead with such an identity.
 */
export abstract class ConsentRepository {
  /** The earliest opt-out of these identities. */
  abstract optedOutAt(ref: WorkspaceRef, identities: ChatIdentities): Promise<Date | undefined>;
  /** Needs the lock of the conversations. The user ids must be stored already. */
  abstract optOut(
    ref: WorkspaceRef,
    identities: ChatIdentities,
    now: Date,
    events: DomainEvent[],
  ): Promise<void>;
  abstract optIn(ref: WorkspaceRef, identities: ChatIdentities, events: DomainEvent[]): Promise<void>;
}
