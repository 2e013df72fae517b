import { isObject } from '../../../platform/http/field-rules';
import { inOrder } from '../../../platform/http/input-problems';
import { validate } from '../../../platform/http/validation.pipe';
import type { CheckedLead } from '../application/lead-check';
import type { LeadOperation } from '../application/lead-writes';
import type { LeadFields } from '../domain/lead';
import { NewLeadFields, UpdateLeadBody } from './lead.dto';

const BODIES = { create: NewLeadFields, update: UpdateLeadBody, upsert: UpdateLeadBody };

/**
 * Checks the fields of a lead by the rules of `POST /v1/leads`, or of `PATCH` for an update or upsert. Whether a stage, an
 * owner or a lost reason exists is checked when the lead is written.
 *
 * @returns the fields as use cases take them, or every problem, in the order in which a 422 names them
 */
export function checkLead(raw: unknown, operation: LeadOperation): CheckedLead {
  if (!isObject(raw)) return { problems: [{ field: '', message: 'must be an object' }] };
  const { dto, problems } = validate(BODIES[operation], raw);
  if (problems.length > 0) return { problems: inOrder(problems) };
  return { fields: operation === 'create' ? newFieldsOf(dto) : changesOf(dto) };
}

/** Null on creation means that the field is absent. */
export function newFieldsOf<Fields extends object>(
  body: Fields,
): { [Name in keyof Fields]: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => (value ?? null) !== null)) as {
    [Name in keyof Fields]: NonNullable<Fields[Name]>;
  };
}

/** Null clears a field; tags become an empty list. */
export function changesOf(body: UpdateLeadBody): Partial<LeadFields> {
  return { ...body, tags: body.tags === null ? [] : body.tags };
}
