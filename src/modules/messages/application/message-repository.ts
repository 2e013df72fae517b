import type { DomainEvent } from '../../../kernel/domain-event';
import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChatIdentities } from '../domain/chat-identity';
import type { Message } from '../domain/message';

export abstract class MessageRepository {
  abstract add(message: Message, events: DomainEvent[]): Promise<void>;
  /** Reads a message and keeps others from changing it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: MessageId): Promise<Message | undefined>;
  /** The same, by the channel's id of a message that was sent. */
  abstract lockSent(ref: WorkspaceRef, providerId: string): Promise<Message | undefined>;
  /** Writes a message that was locked. */
  abstract save(message: Message, events: DomainEvent[]): Promise<void>;
  /**
   * Until the unit of work ends, messages and decisions of these people come one after the other. Whoever locks in several
   * calls begins with the user ids, or two units of work would wait for each other.
   */
  abstract lockConversations(ref: WorkspaceRef, identities: ChatIdentities): Promise<void>;
  abstract isReceived(ref: WorkspaceRef, providerId: string): Promise<boolean>;
  /** Those of the channel's ids that received messages have. */
  abstract receivedAmong(ref: WorkspaceRef, providerIds: readonly string[]): Promise<Set<string>>;
  /** When the other side wrote last, by the channel's clock. */
  abstract lastReceivedAt(ref: WorkspaceRef, identities: ChatIdentities): Promise<Date | undefined>;
  /** The numbers that we wrote to, the latest first, where the channel knows them by another one. */
  abstract phonesOfContact(ref: WorkspaceRef, contact: string): Promise<string[]>;
}
