import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';

/** What is known of a channel's user id. */
export interface ChatUser {
  readonly userId: string;
  /** The number that the channel has shown together with the id; null as long as it never did. */
  readonly phone: string | null;
  /** The lead that messages of the id belong to; null as long as no lead is known to be that person. */
  readonly leadId: LeadId | null;
}

/** User ids are scoped to a business, and so each workspace and mode has its own. */
export abstract class ChatUserRepository {
  abstract find(ref: WorkspaceRef, userId: string): Promise<ChatUser | undefined>;
  /** Those with one of the numbers, and those tied to the lead; the one seen last comes first. */
  abstract list(
    ref: WorkspaceRef,
    by: { phones: readonly string[]; leadId: LeadId | null },
  ): Promise<ChatUser[]>;
  /** Replaces what was known, and makes it the one seen last. */
  abstract save(ref: WorkspaceRef, user: ChatUser): Promise<void>;
}
