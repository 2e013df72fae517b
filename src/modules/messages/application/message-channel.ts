import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ChannelName, OutgoingContent } from '../domain/message';
import type { MessageError } from '../domain/message-error';
import type { Template } from '../domain/template';

export interface OutgoingMessage extends OutgoingContent {
  readonly id: MessageId;
  /** Null for a recipient whom the channel knows by a user id alone. */
  readonly phone: string | null;
  /** The channel's id of the recipient; null for those with a phone. */
  readonly channelUserId: string | null;
}

/** What became of one attempt to hand a message over. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly providerId: string; readonly contact: string | null }
  /** It won't be sent, now or later. */
  | { readonly kind: 'refused'; readonly error: MessageError }
  /** It certainly was not sent: the channel is busy or can't be reached. 0: no wish as to when. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }
  /** It left, and nobody can say whether it arrived. */
  | { readonly kind: 'ambiguous' };

/** A port: the chat channel that live messages go out by. */
export abstract class MessageChannel {
  abstract readonly name: ChannelName;
  abstract isConnected(ref: WorkspaceRef): Promise<boolean>;
  /**
   * Whether free text may go to someone who was last heard from then; templates always may. `phone` is null for a recipient
   * with a user id alone.
   */
  abstract takesText(phone: string | null, lastReceivedAt: Date | undefined, now: Date): boolean;
  abstract templates(ref: WorkspaceRef): Promise<readonly Template[]>;
  /**
   * Awaits `depart` right before anything leaves, within `DEPARTURE_TIMEOUT_MS`; when that rejects, so does this, and
   * nothing leaves. From then on it never rejects, and takes no longer than `SEND_TIMEOUT_MS`.
   */
  abstract send(
    ref: WorkspaceRef,
    message: OutgoingMessage,
    depart: () => Promise<void>,
  ): Promise<SendOutcome>;
}

export const DEPARTURE_TIMEOUT_MS = 10_000;
export const SEND_TIMEOUT_MS = 20_000;

/** The same for test mode, which never reaches anybody. */
export abstract class SandboxChannel extends MessageChannel {}
