import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import { type LeadId, parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadQueries } from '../../leads';
import { Message, type MessageView, type OutgoingContent } from '../domain/message';
import { spellingsOf } from '../domain/phone-spellings';
import { templateProblem } from '../domain/template';
import { Channels } from './channels';
import { ConsentRepository } from './consent-repository';
import type { MessageChannel } from './message-channel';
import { MessageRepository } from './message-repository';

const refuse = (field: string, message: string) => new ValidationFailed({ field, message });

/** Says beforehand what can't be sent, and takes what can: from then on it is sent or fails with a reason. */
@Injectable()
export class SendMessage {
  constructor(
    private readonly leads: LeadQueries,
    private readonly channels: Channels,
    private readonly messages: MessageRepository,
    private readonly consents: ConsentRepository,
    private readonly clock: Clock,
  ) {}

  async execute(ref: WorkspaceRef, to: string, content: OutgoingContent): Promise<MessageView> {
    const { leadId, phone } = await this.recipient(ref, to);
    const channel = this.channels.of(ref);
    if (!(await channel.isConnected(ref))) {
      const message =
        'no chat channel is connected; connect WhatsApp in Settings → Channels, or try out with a test key';
      throw refuse('leadId', message);
    }
    if (await this.consents.optedOutAt(ref, spellingsOf(phone))) {
      throw refuse('leadId', 'the lead has opted out of messages');
    }
    await this.check(ref, channel, phone, content);
    const recipient = { leadId, phone, channel: channel.name };
    const { message, events } = Message.queue(ref, recipient, content, this.clock.now());
    await this.messages.add(message, events);
    return message.view();
  }

  private async recipient(ref: WorkspaceRef, text: string): Promise<{ leadId: LeadId; phone: string }> {
    const leadId = parseId('lead', text);
    if (!leadId) throw refuse('leadId', 'is no id of a lead, lead_…');
    const lead = await this.leads.get(ref, leadId).catch((error: unknown) => {
      throw error instanceof NotFound ? refuse('leadId', 'there is no such lead') : error;
    });
    if (lead.archivedAt) throw refuse('leadId', 'is an archived lead; restore it first');
    if (!lead.phone) throw refuse('leadId', 'the lead has no phone; set it with PATCH /v1/leads/<id>');
    return { leadId, phone: lead.phone };
  }

  private async check(
    ref: WorkspaceRef,
    channel: MessageChannel,
    phone: string,
    { template }: OutgoingContent,
  ): Promise<void> {
    if (template) {
      const problem = templateProblem(template, await channel.templates(ref));
      if (problem) throw new ValidationFailed(problem);
      return;
    }
    const lastReceivedAt = await this.messages.lastReceivedAt(ref, spellingsOf(phone));
    if (channel.takesText(phone, lastReceivedAt, this.clock.now())) return;
    throw refuse(
      'text',
      'can’t be sent now: free text may go out within 24 hours of the lead’s last message only; send a template instead',
    );
  }
}
