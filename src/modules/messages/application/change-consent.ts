import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { LeadQueries } from '../../leads';
import { type ChatContact, type ChatIdentities, contactOf } from '../domain/chat-identity';
import { ConsentRepository } from './consent-repository';
import { Contacts } from './contacts';
import { MessageRepository } from './message-repository';

type ConsentDecision = 'stop' | 'start';

/** A person's consent to messages, as the API returns it and events hold it. */
export interface ConsentView {
  leadId: LeadId | null;
  /** Null for a person with a user id alone. */
  phone: string | null;
  /** The person's user id at the channel, if it has one. */
  channelUserId: string | null;
  /** Null while messages are allowed. */
  optedOutAt: Date | null;
}

@Injectable()
export class ChangeConsent {
  constructor(
    private readonly leads: LeadQueries,
    private readonly contacts: Contacts,
    private readonly messages: MessageRepository,
    private readonly consents: ConsentRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async ofLead(ref: WorkspaceRef, leadId: LeadId, decision: ConsentDecision): Promise<ConsentView> {
    const lead = await this.leads.get(ref, leadId);
    return this.unitOfWork.run(async () => {
      const { recipient, identities } = await this.contacts.ofLead(ref, lead);
      if (!recipient) {
        throw new ValidationFailed({
          field: 'phone',
          message: 'the lead has none, and consent is kept by phone number; set it first',
        });
      }
      await this.messages.lockConversations(ref, identities);
      return this.of(ref, { leadId, ...contactOf(recipient) }, identities, decision);
    });
  }

  /** Applies to all identities of a person, and needs a unit of work that has locked them. Idempotent. */
  async of(
    ref: WorkspaceRef,
    { leadId, phone, userId }: ChatContact & { leadId: LeadId | null },
    identities: ChatIdentities,
    decision: ConsentDecision,
  ): Promise<ConsentView> {
    const before = (await this.consents.optedOutAt(ref, identities)) ?? null;
    const now = this.clock.now();
    const view = {
      leadId,
      phone,
      channelUserId: userId,
      optedOutAt: decision === 'stop' ? (before ?? now) : null,
    };
    const isNew = (before === null) !== (view.optedOutAt === null);
    const event = domainEvent({
      type: decision === 'stop' ? 'contact.opted_out' : 'contact.opted_in',
      workspace: { workspaceId: ref.workspaceId, mode: ref.mode },
      timestamp: now,
      data: view,
      previous: { optedOutAt: before },
    });
    const events = isNew ? [event] : [];
    if (decision === 'stop') await this.consents.optOut(ref, identities, now, events);
    else await this.consents.optIn(ref, identities, events);
    return view;
  }
}
