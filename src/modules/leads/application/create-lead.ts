import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Lead, type LeadView, type NewLead } from '../domain/lead';
import { LeadRepository } from './lead-repository';

@Injectable()
export class CreateLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly clock: Clock,
  ) {}

  async execute(ref: WorkspaceRef, fields: NewLead): Promise<LeadView> {
    const { lead, events } = Lead.open(ref, fields, this.clock.now());
    await this.leads.add(lead, events);
    return lead.view();
  }
}
