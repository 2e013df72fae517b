import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';

/** Who doesn't want messages, by phone number: it is the person behind it who decided, whichever leads they are. */
export abstract class ConsentRepository {
  abstract optedOutAt(ref: WorkspaceRef, phone: string): Promise<Date | undefined>;
  /** Under the conversation's lock, when the number is not opted out. */
  abstract optOut(ref: WorkspaceRef, phone: string, now: Date, events: DomainEvent[]): Promise<void>;
  abstract optIn(ref: WorkspaceRef, phone: string, events: DomainEvent[]): Promise<void>;
}
