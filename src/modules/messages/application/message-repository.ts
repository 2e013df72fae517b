import type { DomainEvent } from '../../../kernel/domain-event';
import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChatIdentities } from '../domain/chat-identity';
import type { Message } from '../domain/message';

export abstract class MessageRepository {
  abstract add(message: Message, events: DomainEvent[]): Promise<void>;
  /** Reads a message and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: MessageId): Promise<Message | undefined>;
  /** The same for an outbound message, by the channel's id. */
  abstract lockSent(ref: WorkspaceRef, providerId: string): Promise<Message | undefined>;
  /** Writes a locked message. */
  abstract save(message: Message, events: DomainEvent[]): Promise<void>;
  /**
   * Serialises messages and decisions of these people until the unit of work ends. Several calls must begin with the user
   * ids, or two units of work could deadlock.
   */
  abstract lockConversations(ref: WorkspaceRef, identities: ChatIdentities): Promise<void>;
  abstract isReceived(ref: WorkspaceRef, providerId: string): Promise<boolean>;
  /** Those of the channel's ids that belong to received messages. */
  abstract receivedAmong(ref: WorkspaceRef, providerIds: readonly string[]): Promise<Set<string>>;
  /** The time of the latest received message, by the channel's clock. */
  abstract lastReceivedAt(ref: WorkspaceRef, identities: ChatIdentities): Promise<Date | undefined>;
  /** The numbers that we have written to and that the channel knows as `contact`; latest first. */
  abstract phonesOfContact(ref: WorkspaceRef, contact: string): Promise<string[]>;
}
