import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Lead, type LeadView, type NewLead } from '../domain/lead';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';

@Injectable()
export class CreateLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly policies: LeadPolicies,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Without policies this is a single statement, which needs no transaction of its own. */
  execute(ref: ActingRef, fields: NewLead): Promise<LeadView> {
    if (!this.policies.decideOnCreation) return this.add(ref, fields);
    return this.unitOfWork.run(async () =>
      this.add(ref, await this.policies.beforeCreate(ref, {}, Lead.normalised(fields))),
    );
  }

  private async add(ref: ActingRef, fields: NewLead): Promise<LeadView> {
    const { lead, events } = Lead.open(ref, fields, this.clock.now());
    await this.leads.add(lead, events);
    return lead.view();
  }
}
