import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { MessageId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Message, Progress } from '../domain/message';
import type { MessageError } from '../domain/message-error';
import { MessageRepository } from './message-repository';

/** A channel's report on a message. */
export type Report =
  | { readonly kind: 'reached'; readonly progress: Progress; readonly at: Date }
  | { readonly kind: 'failed'; readonly error: MessageError };

/** Identifies a message by the channel's id, and by ours if the channel returns it. */
export interface Subject {
  readonly providerId: string;
  readonly contact: string | null;
  readonly messageId?: MessageId;
}

/** Changes messages, each under its row lock, so that no change overwrites another. */
@Injectable()
export class ChangeMessage {
  constructor(
    private readonly messages: MessageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  accept(
    ref: WorkspaceRef,
    id: MessageId,
    receipt: { providerId: string; contact: string | null },
  ): Promise<void> {
    return this.change(
      () => this.messages.lock(ref, id),
      (message, now) => message.accept(receipt, now),
      { evenWithoutEvents: true },
    );
  }

  fail(ref: WorkspaceRef, id: MessageId, error: MessageError): Promise<void> {
    return this.change(
      () => this.messages.lock(ref, id),
      (message, now) => message.fail(error, now),
    );
  }

  /** A report changes nothing if it is outdated, or about a message that isn't ours. */
  report(ref: WorkspaceRef, { messageId, ...receipt }: Subject, report: Report): Promise<void> {
    const find = async () => {
      const known = await this.messages.lockSent(ref, receipt.providerId);
      if (known || !messageId) return known;
      const lost = await this.messages.lock(ref, messageId);
      if (lost?.direction !== 'outbound') return undefined;
      // The channel's answer was stored while this waited for the lock.
      if (lost.providerId === receipt.providerId) return lost;
      // If the channel's answer was lost, this report brings its id. Another id means another message, and the failure of an
      // attempt doesn't concern a message that is queued for the next one.
      const isOfThis = lost.providerId === null && !(lost.status === 'queued' && report.kind === 'failed');
      return isOfThis ? lost : undefined;
    };
    return this.change(find, (message, now) => {
      message.providerId ??= receipt.providerId;
      message.providerContact ??= receipt.contact;
      return report.kind === 'failed'
        ? message.fail(report.error, now)
        : message.reach(report.progress, report.at, now);
    });
  }

  private change(
    find: () => Promise<Message | undefined>,
    apply: (message: Message, now: Date) => DomainEvent[],
    { evenWithoutEvents = false } = {},
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      const message = await find();
      if (!message) return;
      const events = apply(message, this.clock.now());
      if (events.length || evenWithoutEvents) await this.messages.save(message, events);
    });
  }
}
