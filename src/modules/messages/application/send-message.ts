import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { HoldLead, type LeadView } from '../../leads';
import { type ChatIdentity, contactOf } from '../domain/chat-identity';
import { Message, type MessageView, type OutgoingContent } from '../domain/message';
import { templateProblem } from '../domain/template';
import { Channels } from './channels';
import { ConsentRepository } from './consent-repository';
import { Contacts, type LeadContact } from './contacts';
import type { MessageChannel } from './message-channel';
import { MessageRepository } from './message-repository';

const refuse = (field: string, message: string) => new ValidationFailed({ field, message });

/** Refuses messages that can't be sent, and queues all others: each is then sent or fails with a reason. */
@Injectable()
export class SendMessage {
  constructor(
    private readonly holdLead: HoldLead,
    private readonly channels: Channels,
    private readonly contacts: Contacts,
    private readonly messages: MessageRepository,
    private readonly consents: ConsentRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(ref: ActingRef, leadId: LeadId, content: OutgoingContent): Promise<MessageView> {
    return this.unitOfWork.run(async () => {
      const { recipient, channel } = await this.requireSendable(
        ref,
        await this.holdLead.forTie(ref, leadId),
        content,
      );
      const to = { leadId, recipient, channel: channel.name };
      const { message, events } = Message.queue(ref, to, content, this.clock.now());
      await this.messages.add(message, events);
      return message.view();
    });
  }

  /** @throws ValidationFailed if a free text can't be sent to the lead now */
  async requireTextSendable(ref: WorkspaceRef, lead: LeadView): Promise<void> {
    await this.requireSendable(ref, lead, { text: '', template: null });
  }

  private async requireSendable(
    ref: WorkspaceRef,
    lead: LeadView,
    content: OutgoingContent,
  ): Promise<{ recipient: ChatIdentity; channel: MessageChannel }> {
    const { recipient, identities, sameAsRecipient } = await this.contacts.ofLead(ref, lead);
    if (!recipient) throw refuse('leadId', 'the lead has no phone; set it with PATCH /v1/leads/<id>');
    const channel = this.channels.of(ref);
    if (!(await channel.isConnected(ref))) {
      const message =
        'no chat channel is connected; connect WhatsApp in Settings → Channels, or try out with a test key';
      throw refuse('leadId', message);
    }
    if (await this.consents.optedOutAt(ref, identities)) {
      throw refuse('leadId', 'the lead has opted out of messages');
    }
    const { phone } = contactOf(recipient);
    await this.check(ref, channel, { phone, sameAsRecipient }, content);
    return { recipient, channel };
  }

  private async check(
    ref: WorkspaceRef,
    channel: MessageChannel,
    { phone, sameAsRecipient }: Pick<LeadContact, 'sameAsRecipient'> & { phone: string | null },
    { template }: OutgoingContent,
  ): Promise<void> {
    if (template) {
      const problem = templateProblem(template, await channel.templates(ref));
      if (problem) throw new ValidationFailed(problem);
      return;
    }
    const lastReceivedAt = await this.messages.lastReceivedAt(ref, sameAsRecipient);
    if (channel.takesText(phone, lastReceivedAt, this.clock.now())) return;
    throw refuse(
      'text',
      'can’t be sent now: free text may go out within 24 hours of the lead’s last message only; send a template instead',
    );
  }
}
