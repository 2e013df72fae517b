import { type ActingRef, timelineActorOf } from '../../../kernel/actor';
import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { type LeadId, type MessageId, newId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { later } from '../../../kernel/time';
import type { TimelineActor } from '../../../kernel/timeline';
import { type ChatIdentity, contactOf } from './chat-identity';
import type { MessageError } from './message-error';

/** Of a free text that is sent, in code points. */
export const MAX_TEXT = 4096;

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const CHANNELS = ['whatsapp', 'simulator'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Where a message comes from: a chat channel, or a page that the client has. */
export const ORIGINS = [...CHANNELS, 'web'] as const;
export type Origin = (typeof ORIGINS)[number];

/** The statuses of outbound messages, and `received` for all inbound ones. */
export const STATUSES = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
export type Status = (typeof STATUSES)[number];

/** The steps of a message to its reader, in order. */
export const PROGRESS = ['queued', 'sent', 'delivered', 'read'] as const;
export type Progress = Exclude<(typeof PROGRESS)[number], 'queued'>;

export interface TemplateUse {
  name: string;
  /** In WhatsApp's notation: `en`, `es_ES`. */
  language: string;
  /** In the order of the template's text. */
  variables: string[];
}

/** An attached file, by the channel's id. */
export interface Media {
  id: string;
  mimeType: string | null;
  filename: string | null;
}

/** A message as the API returns it and events hold it. */
export interface MessageView {
  id: MessageId;
  /** Null when no lead has the number or user id. */
  leadId: LeadId | null;
  direction: Direction;
  channel: Origin;
  /** The other side's number; null when only its user id is known. */
  phone: string | null;
  /** The other side's user id at the channel; null when the channel names none, and for messages sent by phone. */
  channelUserId: string | null;
  /** `text`, `template`, or another kind of received message, such as `image`. */
  type: string;
  /** The text, or a description of other content. */
  text: string | null;
  template: TemplateUse | null;
  media: Media | null;
  /** Whether a program wrote it by itself, such as a confirmation of receipt: it answers nobody. */
  automatic: boolean;
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
  /** False by default: see `MessageView`. */
  automatic?: boolean;
}

export interface IncomingContent {
  /** The channel's id, by which repetitions are recognised. Null for questions on a page. */
  providerId: string | null;
  phone: string | null;
  channelUserId: string | null;
  type: string;
  text: string;
  media: Media | null;
  /** By the channel's clock. */
  sentAt: Date;
}

/** A message of a conversation over a chat channel, in either direction. */
export class Message implements MessageView {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: MessageId;
  readonly leadId!: LeadId | null;
  readonly direction!: Direction;
  readonly channel!: Origin;
  readonly phone!: string | null;
  readonly channelUserId!: string | null;
  readonly type!: string;
  readonly text!: string | null;
  readonly template!: TemplateUse | null;
  readonly media!: Media | null;
  readonly automatic!: boolean;
  /** Null for inbound messages, and when it wasn't recorded. */
  readonly sentBy!: TimelineActor | null;
  status!: Status;
  error!: MessageError | null;
  providerId!: string | null;
  /** The channel's spelling of the number, if it differs from `phone` (Mexico, Argentina, Brazil). */
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
    ref: ActingRef,
    to: { leadId: LeadId; recipient: ChatIdentity; channel: ChannelName },
    { text, template, automatic = false }: OutgoingContent,
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
      automatic,
      sentBy: timelineActorOf(ref),
      status: 'queued',
      createdAt: now,
    });
    return { message, events: [message.event('message.queued', now)] };
  }

  static receive(
    ref: WorkspaceRef,
    from: { leadId: LeadId | null; channel: Origin },
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

  /** The channel has accepted the message and named its id. */
  accept(receipt: { providerId: string; contact: string | null }, now: Date): DomainEvent[] {
    this.providerId ??= receipt.providerId;
    this.providerContact ??= receipt.contact;
    return this.reach('sent', now, now);
  }

  /**
   * The message has reached a step, `at` by the channel's clock. Reports come late, repeated and out of order: an earlier
   * step than the current one changes nothing, and a step implies those before it. A failure is final, unless it was only
   * assumed because the channel's answer was lost.
   */
  reach(progress: Progress, at: Date, now: Date): DomainEvent[] {
    if (this.direction === 'inbound') return [];
    const isAssumed = this.status === 'failed' && this.error?.code === 'unconfirmed';
    if (this.status === 'failed' && !isAssumed) return [];
    const target = PROGRESS.indexOf(progress);
    if (target <= PROGRESS.indexOf(this.status as Progress)) return [];
    const previous: Partial<MessageView> = { status: this.status };
    if (isAssumed) {
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

  /** The message won't arrive. A delivered message can't fail, and a failed one keeps its first reason. */
  fail(error: MessageError, now: Date): DomainEvent[] {
    const isAssumed = this.error?.code === 'unconfirmed' && error.code !== 'unconfirmed';
    if (this.status !== 'queued' && this.status !== 'sent' && !isAssumed) return [];
    const previous = { status: this.status, error: this.error, failedAt: this.failedAt };
    this.status = 'failed';
    this.error = error;
    this.failedAt = later(now, this.createdAt);
    return [this.event('message.failed', now, previous)];
  }

  view(): MessageView {
    const { id, leadId, direction, channel, phone, channelUserId } = this;
    const { type, text, template, media, automatic, status, error } = this;
    const { createdAt, sentAt, deliveredAt, readAt, failedAt } = this;
    return {
      ...{ id, leadId, direction, channel, phone, channelUserId },
      ...{ type, text, template, media, automatic, status, error },
      ...{ createdAt, sentAt, deliveredAt, readAt, failedAt },
    };
  }

  private event(type: string, timestamp: Date, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp, data: this.view(), previous });
  }
}

const BLANK = {
  ...{
    text: null,
    template: null,
    media: null,
    automatic: false,
    sentBy: null,
    error: null,
    providerId: null,
    providerContact: null,
  },
  ...{ sentAt: null, deliveredAt: null, readAt: null, failedAt: null },
};

function identify({ workspaceId, mode }: WorkspaceRef) {
  return { workspaceId, mode, id: newId('msg') };
}
