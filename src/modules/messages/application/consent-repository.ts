import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';

/**
 * Who doesn't want messages, by phone number in each of its spellings: it is the person behind it who decided, whichever
 * leads they are.
 */
export abstract class ConsentRepository {
  /** Since when one of them is opted out. */
  abstract optedOutAt(ref: WorkspaceRef, phones: readonly string[]): Promise<Date | undefined>;
  /** Under the conversations' lock. */
  abstract optOut(
    ref: WorkspaceRef,
    phones: readonly string[],
    now: Date,
    events: DomainEvent[],
  ): Promise<void>;
  abstract optIn(ref: WorkspaceRef, phones: readonly string[], events: DomainEvent[]): Promise<void>;
}
