import type { FieldProblem } from '../../../kernel/errors';
import type { LeadFields } from '../domain/lead';
import type { LeadOperation } from './lead-writes';

export type CheckedLead =
  { readonly fields: Partial<LeadFields> } | { readonly problems: readonly FieldProblem[] };

/** A port: the API's rules for the fields of a lead, by which forms are checked too. */
export abstract class LeadCheck {
  /**
   * @param raw fields as JSON holds them
   * @returns the fields as use cases take them, or every problem
   */
  abstract check(raw: unknown, operation: LeadOperation): CheckedLead;
}
