import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { causedBy } from '../../../kernel/current-cause';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Message, type MessageView } from '../domain/message';
import { MessageRepository } from './message-repository';

/**
 * Stores what a client asks on a page as a received message of the lead. It is in no chat, so it neither opens WhatsApp's window
 * for free text nor decides on consent.
 */
@Injectable()
export class ReceiveQuestion {
  constructor(
    private readonly messages: MessageRepository,
    private readonly clock: Clock,
  ) {}

  execute(ref: WorkspaceRef, leadId: LeadId, text: string): Promise<MessageView> {
    return causedBy({ type: 'client', id: leadId }, async () => {
      const now = this.clock.now();
      const content = { providerId: null, phone: null, channelUserId: null, type: 'text', text, media: null };
      const { message, events } = Message.receive(
        ref,
        { leadId, channel: 'web' },
        { ...content, sentAt: now },
        now,
      );
      await this.messages.add(message, events);
      return message.view();
    });
  }
}
