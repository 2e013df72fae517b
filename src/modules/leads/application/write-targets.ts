import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { Lead } from '../domain/lead';
import type { LeadBatch } from './lead-batch';
import { type LeadMatch, type MatchValues, MAX_NAMED } from './lead-matches';
import { type LeadWrite, MATCH_FIELDS, type MatchField } from './lead-writes';

/** The fields by which a write looks for leads, beside `externalId`, which is unique. */
function lookedFor({ operation, matchBy, onDuplicate }: LeadWrite): readonly MatchField[] {
  if (operation === 'upsert' && matchBy && matchBy !== 'none') return [matchBy];
  return operation === 'create' && onDuplicate === 'refuse' ? ['email', 'phone'] : [];
}

/** The values that nobody else may look for meanwhile. Whoever looks for one reserves all, since any may be looked for next. */
export function reservedValues(writes: readonly LeadWrite[]): string[] {
  const values = writes.flatMap((write) => {
    const fields = lookedFor(write).length > 0 ? MATCH_FIELDS : (['externalId'] as const);
    return fields.flatMap((field) => write.fields[field] ?? []);
  });
  return [...new Set(values)];
}

export function valuesToFind(writes: readonly LeadWrite[]): MatchValues {
  const values = { externalId: new Set<string>(), email: new Set<string>(), phone: new Set<string>() };
  for (const write of writes) {
    for (const field of ['externalId', ...lookedFor(write)] as const) {
      const value = write.fields[field];
      if (value) values[field].add(value);
    }
  }
  return { externalId: [...values.externalId], email: [...values.email], phone: [...values.phone] };
}

/** @param all whether leads that match are locked although another one is to be changed: an earlier write may change that */
export function leadsToLock(
  writes: readonly LeadWrite[],
  matches: readonly LeadMatch[],
  all: boolean,
): Set<LeadId> {
  const ids = new Set(writes.flatMap(({ id }) => id ?? []));
  const found = new Map<string, LeadId[]>();
  for (const { by, value, id } of matches) {
    const key = `${by} ${value}`;
    found.set(key, [...(found.get(key) ?? []), id]);
  }
  for (const { operation, matchBy, onMultiple, fields } of writes) {
    if (operation !== 'upsert' || !matchBy || matchBy === 'none') continue;
    const matching = found.get(`${matchBy} ${fields[matchBy]}`) ?? [];
    const needed = matching.length === 1 || onMultiple === 'newest' ? matching.slice(0, 1) : [];
    for (const id of all ? matching : needed) ids.add(id);
  }
  return ids;
}

/**
 * The lead that a write changes; undefined for a new one.
 *
 * @throws ValidationFailed if there is no such lead, the client hasn't seen its state, or leads match that mustn't
 */
export function targetOf(leads: LeadBatch, write: LeadWrite): Lead | undefined {
  if (write.operation === 'create') {
    refuseDuplicates(leads, write);
    return undefined;
  }
  return write.operation === 'update' ? updated(leads, write) : upserted(leads, write);
}

/** Whether a write may make a lead that is given to the member whose turn it is. */
export function mayCreate(write: LeadWrite, leads: LeadBatch): boolean {
  const { operation, matchBy, fields } = write;
  if (fields.ownerId || operation === 'update') return false;
  const value = matchBy && matchBy !== 'none' ? fields[matchBy] : undefined;
  return operation === 'create' || !value || leads.idsWith(matchBy as MatchField, value).length === 0;
}

function updated(leads: LeadBatch, { id, ifMatch }: LeadWrite): Lead {
  const lead = id && leads.get(id);
  if (!lead) throw new ValidationFailed({ field: 'id', message: 'there is no such lead' });
  ifMatch?.check(lead.view());
  return lead;
}

function upserted(leads: LeadBatch, { matchBy, onMultiple, fields }: LeadWrite): Lead | undefined {
  if (!matchBy || matchBy === 'none') return undefined;
  const value = fields[matchBy];
  if (!value) throw new ValidationFailed(...missingMatch(matchBy));
  const ids = leads.idsWith(matchBy, value);
  if (ids.length > 1 && onMultiple !== 'newest') {
    const named = ids.slice(0, MAX_NAMED).join(', ');
    const more = ids.length > MAX_NAMED ? ' and more' : '';
    throw new ValidationFailed({
      field: 'matchBy',
      message: `several leads have that ${matchBy}: ${named}${more}; update one of them by its id, or set onMultiple to newest`,
    });
  }
  return ids[0] && leads.get(ids[0]);
}

/** The problem of an upsert without the value by which it finds the lead. */
export function missingMatch(matchBy: MatchField): [FieldProblem] {
  return [{ field: matchBy, message: 'is required: it is what the lead is found by (matchBy)' }];
}

function refuseDuplicates(leads: LeadBatch, { onDuplicate, fields }: LeadWrite): void {
  if (onDuplicate !== 'refuse') return;
  const [first, ...more] = (['email', 'phone'] as const).flatMap((field) => {
    const value = fields[field];
    const [id] = value ? leads.idsWith(field, value) : [];
    return id ? [{ field, message: `belongs to the lead ${id} already (onDuplicate is refuse)` }] : [];
  });
  if (first) throw new ValidationFailed(first, ...more);
}
