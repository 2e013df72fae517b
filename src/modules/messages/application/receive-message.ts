import { Injectable } from '@nestjs/common';
import { causedBy } from '../../../kernel/current-cause';
import { Clock } from '../../../kernel/clock';
import { PublicError } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { CreateLead } from '../../leads';
import { placeholderEmail, recipientOf } from '../domain/chat-identity';
import { consentIn } from '../domain/consent-words';
import { type IncomingContent, Message, type MessageView } from '../domain/message';
import { ChangeConsent } from './change-consent';
import { Channels } from './channels';
import { Contacts, type Person, type Sender } from './contacts';
import { MessageRepository } from './message-repository';
import { MessageSettingsRepository } from './message-settings';

const MAX_NAME_LENGTH = 200;

export interface IncomingMessage extends Omit<IncomingContent, 'phone' | 'channelUserId' | 'providerId'> {
  readonly providerId: string;
  readonly sender: Sender;
}

@Injectable()
export class ReceiveMessage {
  constructor(
    private readonly messages: MessageRepository,
    private readonly channels: Channels,
    private readonly contacts: Contacts,
    private readonly createLead: CreateLead,
    private readonly changeConsent: ChangeConsent,
    private readonly settings: MessageSettingsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Resolves to undefined for a duplicate `providerId`: channels often deliver the same message twice. */
  execute(ref: WorkspaceRef, incoming: IncomingMessage): Promise<MessageView | undefined> {
    return this.unitOfWork.run(async () => {
      const person = await this.contacts.ofSender(ref, incoming.sender);
      if (await this.messages.isReceived(ref, incoming.providerId)) return undefined;
      const cause = { type: 'client', id: person.lead?.id ?? null } as const;
      return causedBy(cause, () => this.receive(ref, person, incoming));
    });
  }

  private async receive(
    ref: WorkspaceRef,
    person: Person,
    { sender, ...content }: IncomingMessage,
  ): Promise<MessageView> {
    const { languages, createsLeads } = await this.settings.get(ref);
    const leadId = person.lead?.id ?? (createsLeads ? await this.newLead(ref, person, sender.name) : null);
    await this.contacts.linkUser(ref, person, leadId, sender.former);
    const { phone, userId, identities } = person;
    const channel = this.channels.of(ref).name;
    const { message, events } = Message.receive(
      ref,
      { leadId, channel },
      { ...content, phone, channelUserId: userId },
      this.clock.now(),
    );
    await this.messages.add(message, events);
    const decision = consentIn(content.text, languages);
    if (decision) await this.changeConsent.of(ref, { leadId, phone, userId }, identities, decision);
    return message.view();
  }

  private async newLead(
    ref: WorkspaceRef,
    person: Person,
    senderName: string | null,
  ): Promise<LeadId | null> {
    const identity = recipientOf(person);
    if (!identity) return null;
    const name = [...(senderName ?? '')].slice(0, MAX_NAME_LENGTH).join('').trim();
    try {
      const fields = {
        email: placeholderEmail(identity),
        phone: person.phone,
        source: 'whatsapp',
        ...(name && { name }),
      };
      const { id } = await this.createLead.execute(ref, fields, { ignoresRequired: true });
      return id;
    } catch (error) {
      // The lead was refused, for example by a policy. The message is stored without one.
      if (error instanceof PublicError) return null;
      throw error;
    }
  }
}
