import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { LeadQueries } from '../../leads';
import { spellingsOf } from '../domain/phone-spellings';
import { ConsentRepository } from './consent-repository';
import { MessageRepository } from './message-repository';

/** Whether someone may be written to, as the API returns it and as events carry it. */
export interface ConsentView {
  leadId: LeadId | null;
  phone: string;
  /** Null: they may be. */
  optedOutAt: Date | null;
}

@Injectable()
export class ChangeConsent {
  constructor(
    private readonly leads: LeadQueries,
    private readonly messages: MessageRepository,
    private readonly consents: ConsentRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async ofLead(ref: WorkspaceRef, leadId: LeadId, wish: 'stop' | 'start'): Promise<ConsentView> {
    const { phone } = await this.leads.get(ref, leadId);
    if (!phone) {
      throw new ValidationFailed({
        field: 'phone',
        message: 'the lead has none, and consent is kept by phone number; set it first',
      });
    }
    return this.of(ref, { leadId, phone }, wish);
  }

  /** Holds for every spelling of the number. Doing it twice changes nothing. */
  of(
    ref: WorkspaceRef,
    { leadId, phone }: { leadId: LeadId | null; phone: string },
    wish: 'stop' | 'start',
    spellings: readonly string[] = spellingsOf(phone),
  ): Promise<ConsentView> {
    return this.unitOfWork.run(async () => {
      await this.messages.lockConversations(ref, spellings);
      const before = (await this.consents.optedOutAt(ref, spellings)) ?? null;
      const now = this.clock.now();
      const view = { leadId, phone, optedOutAt: wish === 'stop' ? (before ?? now) : null };
      const isNew = (before === null) !== (view.optedOutAt === null);
      const event = domainEvent({
        type: wish === 'stop' ? 'contact.opted_out' : 'contact.opted_in',
        workspace: { workspaceId: ref.workspaceId, mode: ref.mode },
        timestamp: now,
        data: view,
        previous: { optedOutAt: before },
      });
      const events = isNew ? [event] : [];
      if (wish === 'stop') await this.consents.optOut(ref, spellings, now, events);
      else await this.consents.optIn(ref, spellings, events);
      return view;
    });
  }
}
