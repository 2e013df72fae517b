import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChannelName, OutgoingContent } from '../domain/message';
import type { MessageError } from '../domain/message-error';
import type { Template } from '../domain/template';

export interface OutgoingMessage extends OutgoingContent {
  readonly id: MessageId;
  /** Null for a recipient with a user id alone. */
  readonly phone: string | null;
  /** The recipient's user id at the channel; null for a recipient with a phone. */
  readonly channelUserId: string | null;
}

/** The outcome of one attempt to send a message. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly providerId: string; readonly contact: string | null }
  /** The message will never be sent. */
  | { readonly kind: 'refused'; readonly error: MessageError }
  /** The message certainly was not sent: the channel is busy or can't be reached. 0 when the channel names no time. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }
  /** The message has left, and nobody can tell whether it arrived. */
  | { readonly kind: 'ambiguous' };

/** A port: the chat channel of live messages. */
export abstract class MessageChannel {
  abstract readonly name: ChannelName;
  abstract isConnected(ref: WorkspaceRef): Promise<boolean>;
  /**
   * Whether free text may be sent to a recipient whose last message arrived then; templates always may. `phone` is null for
   * a recipient with a user id alone.
   */
  abstract takesText(phone: string | null, lastReceivedAt: Date | undefined, now: Date): boolean;
  abstract templates(ref: WorkspaceRef): Promise<readonly Template[]>;
  /**
   * Calls `depart` within `DEPARTURE_TIMEOUT_MS`, right before the message leaves, and rejects without sending if `depart`
   * rejects. Afterwards, it resolves within `SEND_TIMEOUT_MS` and never rejects.
   */
  abstract send(
    ref: WorkspaceRef,
    message: OutgoingMessage,
    depart: () => Promise<void>,
  ): Promise<SendOutcome>;
}

export const DEPARTURE_TIMEOUT_MS = 10_000;
export const SEND_TIMEOUT_MS = 20_000;

/** The channel of test messages, which are never delivered. */
export abstract class SandboxChannel extends MessageChannel {}
