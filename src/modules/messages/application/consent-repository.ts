import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChatIdentities } from '../domain/chat-identity';

/**
 * Who doesn't want messages, by phone number in each of its spellings and by user id: it is the person behind it who decided,
 * whichever leads they are.
 */
export abstract class ConsentRepository {
  /** Since when one of them is opted out. */
  abstract optedOutAt(ref: WorkspaceRef, identities: ChatIdentities): Promise<Date | undefined>;
  /** Under the conversations' lock. User ids have to be known. */
  abstract optOut(
    ref: WorkspaceRef,
    identities: ChatIdentities,
    now: Date,
    events: DomainEvent[],
  ): Promise<void>;
  abstract optIn(ref: WorkspaceRef, identities: ChatIdentities, events: DomainEvent[]): Promise<void>;
}
