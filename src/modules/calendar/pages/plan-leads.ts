import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { LeadQueries, type LeadView } from '../../leads';

const NEWEST = {
  page: 1,
  limit: 1,
  sort: { field: 'createdAt', descending: true },
  fingerprint: '',
} as const;

/** The leads of what is planned, which forms name by their email. */
@Injectable()
export class PlanLeads {
  constructor(private readonly leads: LeadQueries) {}

  /** The newest lead with the email that was typed. Problems are noted. */
  async read(ref: WorkspaceRef, form: FormInput): Promise<LeadView | null> {
    const email = form.optional('lead', fieldRules.email);
    if (email === null || form.problem('lead')) return null;
    const { data } = await this.leads.list(ref, { email, archived: 'false' }, NEWEST);
    if (data.length === 0) {
      form.problems.push({ field: 'lead', message: 'No lead has this email. Add the lead first.' });
    }
    return data[0] ?? null;
  }

  get(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    return this.leads.get(ref, id);
  }
}
