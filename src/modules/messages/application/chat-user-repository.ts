import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';

/** A user id at a channel. */
export interface ChatUser {
  readonly userId: string;
  /** The number that the channel has shown together with the id; null if it never did. */
  readonly phone: string | null;
  /** The lead that the id belongs to, if it is known. */
  readonly leadId: LeadId | null;
}

/** User ids are scoped to a business: each workspace and mode has its own. */
export abstract class ChatUserRepository {
  abstract find(ref: WorkspaceRef, userId: string): Promise<ChatUser | undefined>;
  /** The user ids with one of the numbers, and those of the lead; latest seen first. */
  abstract list(
    ref: WorkspaceRef,
    by: { phones: readonly string[]; leadId: LeadId | null },
  ): Promise<ChatUser[]>;
  /** Replaces the stored user, who becomes the latest seen. */
  abstract save(ref: WorkspaceRef, user: ChatUser): Promise<void>;
}
