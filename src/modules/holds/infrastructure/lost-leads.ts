import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import type { EventSubscriber } from '../../../platform/outbox/event-subscribers';
import { EndHolds } from '../application/end-holds';

/**
 * Releases the holds of leads that are lost. Not in the transaction of the lead, whose lock is taken last (ADR 51). Its
 * subscription passes on lost leads alone.
 */
@Injectable()
export class LostLeads implements EventSubscriber {
  readonly name = 'holds';

  constructor(private readonly endHolds: EndHolds) {}

  handle({ workspace, data, timestamp }: RecordedEvent): Promise<void> {
    return this.endHolds.releaseOfLead(workspace, (data as { id: LeadId }).id, timestamp);
  }
}
