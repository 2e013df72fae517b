import { Policies, type Policy, type PolicyContext } from '../../../kernel/policies';
import type { CustomValues } from '../domain/custom-fields';
import type { LeadFields, LeadView, NewLead } from '../domain/lead';

/** A lead that is to be created. A field that isn't given is absent. */
export interface LeadCreation extends PolicyContext {
  readonly fields: Readonly<NewLead>;
}

/**
 * - `update`: fields are to be changed.
 * - `advance`: an accepted or sent proposal or a booked visit moves the lead on, or its stage was archived. This can't be
 *   refused.
 * - `archive`, `restore`: these can be refused, and set no fields.
 */
export type LeadAction = 'update' | 'advance' | 'archive' | 'restore';

/** A change of a lead, whose row is locked. */
export interface LeadChange extends PolicyContext {
  /** As it is before the change. */
  readonly lead: LeadView;
  readonly action: LeadAction;
  /** The fields that get another value; null clears one. */
  readonly changes: Readonly<Partial<LeadFields>>;
}

export type LeadPolicy = Policy<LeadCreation, LeadChange>;

/** The rules of other teams for leads, whichever way a lead is written. */
export class LeadPolicies extends Policies<LeadCreation, LeadChange> {
  /** A policy changes the custom fields that it names. */
  protected override combined<Fields extends object>(current: Fields, decided: object | undefined): Fields {
    const [{ custom }, { custom: values }] = [current, decided ?? {}] as [GivenCustom, GivenCustom];
    return { ...super.combined(current, decided), ...(values && { custom: { ...custom, ...values } }) };
  }
}

interface GivenCustom {
  readonly custom?: CustomValues;
}
