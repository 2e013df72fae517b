import type { FieldProblem } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { LeadFields, LeadView } from '../domain/lead';

/** The field by which an upsert finds the lead that it changes. Leads that are archived are found by `externalId` alone. */
export const MATCH_FIELDS = ['externalId', 'email', 'phone'] as const;
export type MatchField = (typeof MATCH_FIELDS)[number];

/** `overwrite` writes the given fields; `fill` only those that are empty. */
export const ON_EXISTING = ['overwrite', 'fill'] as const;
export type OnExisting = (typeof ON_EXISTING)[number];

/** What happens if several leads match: `refuse`, or change the newest one. */
export const ON_MULTIPLE = ['refuse', 'newest'] as const;
export type OnMultiple = (typeof ON_MULTIPLE)[number];

export const ON_DUPLICATES = ['create', 'refuse'] as const;
export type OnDuplicate = (typeof ON_DUPLICATES)[number];

export const LEAD_OPERATIONS = ['create', 'update', 'upsert'] as const;
export type LeadOperation = (typeof LEAD_OPERATIONS)[number];

/** A lead to write. Its fields have been checked by `checkLead`. */
export interface LeadWrite {
  readonly operation: LeadOperation;
  /** Of the lead to update; undefined for text that is no id. */
  readonly id?: LeadId;
  /** The states of the lead to update that the client has seen. */
  readonly ifMatch?: Precondition;
  /** `none`, the default, creates a lead each time. */
  readonly matchBy?: MatchField | 'none';
  /** `overwrite` by default. */
  readonly onExisting?: OnExisting;
  /** `refuse` by default. */
  readonly onMultiple?: OnMultiple;
  /** Of `create`; `create` by default. */
  readonly onDuplicate?: OnDuplicate;
  readonly fields: Partial<LeadFields>;
  /** Fields of a lead that is created, where `fields` has no value for them. */
  readonly ifCreated?: Partial<LeadFields>;
}

/** In place of a write whose fields `checkLead` has refused: it fails, and keeps its place in the results. */
export interface RefusedWrite {
  readonly problems: readonly FieldProblem[];
}

export type LeadWritten =
  | { readonly status: 'created' | 'updated' | 'unchanged'; readonly lead: LeadView }
  | { readonly status: 'failed'; readonly problems: readonly FieldProblem[] };
