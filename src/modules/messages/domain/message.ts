import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { type LeadId, type MessageId, newId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { later } from '../../../kernel/time';
import { type ChatIdentity, contactOf } from './chat-identity';
import type { MessageError } from './message-error';

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const CHANNELS = ['whatsapp', 'simulator'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** What becomes of a message that is sent; one that came in is `received` and stays so. */
export const STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
export type Status = (typeof STATUSES)[number];

/** Steps on the way to the reader, in their order. */
export const PROGRESS = ['queued', 'sent', 'delivered', 'read'] as const;
export type Progress = Exclude<(typeof PROGRESS)[number], 'queued'>;

export interface TemplateUse {
  name: string;
  /** As WhatsApp writes it: `en`, `es_ES`. */
  language: string;
  /** In the order in which the template's text names them. */
  variables: string[];
}

/** A file that came along, by the id under which the channel keeps it. */
export interface Media {
  id: string;
  mimeType: string | null;
  filename: string | null;
}

/** A message as the API returns it and as events carry it. */
export interface MessageView {
  id: MessageId;
  /** Null when no lead has the number or user id. */
  leadId: LeadId | null;
  direction: Direction;
  channel: ChannelName;
  /** The other side of the conversation; null when only its user id is known. */
  phone: string | null;
  /** The channel's id of the other side; null when the channel named none, and for what goes out by phone. */
  channelUserId: string | null;
  /** `text`, `template`, or the kind of what came in, such as `image`. */
  type: string;
  /** What it says, or what it shows in words. */
  text: string | null;
  template: TemplateUse | null;
  media: Media | null;
  status: Status;
  error: MessageError | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

export interface OutgoingContent {
  text: string | null;
  template: TemplateUse | null;
}

export interface IncomingContent {
  /** The channel's id for it: what comes twice is known by it. */
  providerId: string;
  phone: string | null;
  channelUserId: string | null;
  type: string;
  text: string;
  media: Media | null;
  /** By the channel's clock. */
  sentAt: Date;
}

/** One message of a conversation with someone on a chat channel, in either direction. */
export class Message implements MessageView {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: MessageId;
  readonly leadId!: LeadId | null;
  readonly direction!: Direction;
  readonly channel!: ChannelName;
  readonly phone!: string | null;
  readonly channelUserId!: string | null;
  readonly type!: string;
  readonly text!: string | null;
  readonly template!: TemplateUse | null;
  readonly media!: Media | null;
  status!: Status;
  error!: MessageError | null;
  providerId!: string | null;
  /** The number by which the channel knows the other side, where that differs from `phone` (Mexico, Argentina, Brazil). */
  providerContact!: string | null;
  readonly createdAt!: Date;
  sentAt!: Date | null;
  deliveredAt!: Date | null;
  readAt!: Date | null;
  failedAt!: Date | null;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static queue(
    ref: WorkspaceRef,
    to: { leadId: LeadId; recipient: ChatIdentity; channel: ChannelName },
    { text, template }: OutgoingContent,
    now: Date,
  ): { message: Message; events: DomainEvent[] } {
    const { phone, userId } = contactOf(to.recipient);
    const message = new Message({
      ...BLANK,
      ...identify(ref),
      leadId: to.leadId,
      channel: to.channel,
      phone,
      channelUserId: userId,
      direction: 'outbound',
      type: template ? 'template' : 'text',
      text,
      template,
      status: 'queued',
      createdAt: now,
    });
    return { message, events: [message.event('message.queued', now)] };
  }

  static receive(
    ref: WorkspaceRef,
    from: { leadId: LeadId | null; channel: ChannelName },
    content: IncomingContent,
    now: Date,
  ): { message: Message; events: DomainEvent[] } {
    const message = new Message({
      ...BLANK,
      ...identify(ref),
      ...from,
      ...content,
      sentAt: content.sentAt > now ? now : content.sentAt,
      direction: 'inbound',
      status: 'received',
      createdAt: now,
    });
    return { message, events: [message.event('message.received', now)] };
  }

  /** The channel took it, and told how it calls it. */
  accept(receipt: { providerId: string; contact: string | null }, now: Date): DomainEvent[] {
    this.providerId ??= receipt.providerId;
    this.providerContact ??= receipt.contact;
    return this.reach('sent', now, now);
  }

  /**
   * It got that far, `at` by the channel's clock. Reports come late, repeated and out of order: one that tells of less
   * than is known changes nothing, and a later step implies the ones before it. A failure is final, but for one that was
   * only supposed since no answer had come.
   */
  reach(progress: Progress, at: Date, now: Date): DomainEvent[] {
    if (this.direction === 'inbound') return [];
    const isSupposed = this.status === 'failed' && this.error?.code === 'unconfirmed';
    if (this.status === 'failed' && !isSupposed) return [];
    const target = PROGRESS.indexOf(progress);
    if (target <= PROGRESS.indexOf(this.status as Progress)) return [];
    const previous: Partial<MessageView> = { status: this.status };
    if (isSupposed) {
      Object.assign(previous, { error: this.error, failedAt: this.failedAt });
      this.error = null;
      this.failedAt = null;
    }
    let time = later(at > now ? now : at, this.createdAt);
    for (const step of PROGRESS.slice(1, target + 1) as Progress[]) {
      const field = `${step}At` as const;
      if (this[field]) time = later(time, this[field]);
      else {
        previous[field] = null;
        this[field] = time;
      }
    }
    this.status = progress;
    return [this.event(`message.${progress}`, now, previous)];
  }

  /** It won't arrive. What was delivered can't fail any more, and what has failed stays so, with its first reason. */
  fail(error: MessageError, now: Date): DomainEvent[] {
    const isSupposed = this.error?.code === 'unconfirmed' && error.code !== 'unconfirmed';
    if (this.status !== 'queued' && this.status !== 'sent' && !isSupposed) return [];
    const previous = { status: this.status, error: this.error, failedAt: this.failedAt };
    this.status = 'failed';
    this.error = error;
    this.failedAt = later(now, this.createdAt);
    return [this.event('message.failed', now, previous)];
  }

  view(): MessageView {
    const { id, leadId, direction, channel, phone, channelUserId } = this;
    const { type, text, template, media, status, error } = this;
    const { createdAt, sentAt, deliveredAt, readAt, failedAt } = this;
    return {
      ...{ id, leadId, direction, channel, phone, channelUserId },
      ...{ type, text, template, media, status, error },
      ...{ createdAt, sentAt, deliveredAt, readAt, failedAt },
    };
  }

  private event(type: string, timestamp: Date, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp, data: this.view(), previous });
  }
}

const BLANK = {
  ...{ text: null, template: null, media: null, error: null, providerId: null, providerContact: null },
  ...{ sentAt: null, deliveredAt: null, readAt: null, failedAt: null },
};

function identify({ workspaceId, mode }: WorkspaceRef) {
  return { workspaceId, mode, id: newId('msg') };
}
