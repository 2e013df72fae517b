import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { CreateLead, LeadQueries } from '../../leads';
import { consentIn } from '../domain/consent-words';
import { type IncomingContent, Message } from '../domain/message';
import { spellingsOf } from '../domain/phone-spellings';
import { ChangeConsent } from './change-consent';
import { Channels } from './channels';
import { MessageRepository } from './message-repository';
import { MessageSettingsRepository } from './message-settings';

const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;
const MAX_NAME_LENGTH = 200;

export interface IncomingMessage extends IncomingContent {
  /** How the other side calls itself. */
  readonly senderName: string | null;
}

@Injectable()
export class ReceiveMessage {
  constructor(
    private readonly messages: MessageRepository,
    private readonly channels: Channels,
    private readonly leads: LeadQueries,
    private readonly createLead: CreateLead,
    private readonly changeConsent: ChangeConsent,
    private readonly settings: MessageSettingsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** What comes a second time, as channels are wont to send it, is known by the channel's id and changes nothing. */
  execute(ref: WorkspaceRef, { senderName, ...content }: IncomingMessage): Promise<void> {
    return this.unitOfWork.run(async () => {
      const known = await this.messages.phonesOfContact(ref, content.phone);
      const spellings = [...new Set([...known, content.phone].flatMap(spellingsOf))];
      await this.messages.lockConversations(ref, spellings);
      if (await this.messages.isReceived(ref, content.providerId)) return;
      const { languages, createsLeads } = await this.settings.get(ref);
      const lead = await this.leadOf(ref, spellings);
      const phone = lead?.phone ?? known[0] ?? content.phone;
      const mayCreate = createsLeads && INTERNATIONAL.test(phone);
      const leadId = lead?.id ?? (mayCreate ? await this.newLead(ref, phone, senderName) : null);
      const channel = this.channels.of(ref).name;
      const { message, events } = Message.receive(
        ref,
        { leadId, channel },
        { ...content, phone },
        this.clock.now(),
      );
      await this.messages.add(message, events);
      const wish = consentIn(content.text, languages);
      if (wish) await this.changeConsent.of(ref, { leadId, phone }, wish, spellings);
    });
  }

  /** Of the spellings, those that were written to come first; of leads, those that aren't archived. */
  private async leadOf(ref: WorkspaceRef, spellings: readonly string[]) {
    const found = await Promise.all(spellings.map((spelling) => this.leads.findByPhone(ref, spelling)));
    const leads = found.filter((lead) => lead !== undefined);
    return leads.find(({ archivedAt }) => !archivedAt) ?? leads[0];
  }

  private async newLead(ref: WorkspaceRef, phone: string, senderName: string | null): Promise<LeadId> {
    const name = [...(senderName ?? '')].slice(0, MAX_NAME_LENGTH).join('').trim();
    const { id } = await this.createLead.execute(ref, {
      // A lead needs an address. In .invalid (RFC 2606) nobody ever has one, and the number keeps it unique.
      email: `${phone.slice(1)}@whatsapp.invalid`,
      phone,
      source: 'whatsapp',
      ...(name && { name }),
    });
    return id;
  }
}
