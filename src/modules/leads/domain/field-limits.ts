import type { DomainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadField, MAX_POSITION, type NewLeadField } from './lead-field';

/** That aren't archived. */
export const MAX_FIELDS = 100;
/** Archived ones included, since leads keep values in them and their keys stay taken. */
const MAX_EVER = 300;
/** Of the options of all these fields, as JSON: leads are read with them. */
const MAX_OPTION_BYTES = 2 * 1024 * 1024;

/**
 * The position of a field that is to be added after all others.
 *
 * @throws ValidationFailed if there are too many, or another one has the key
 */
export function roomFor({ key }: Pick<NewLeadField, 'key'>, all: readonly LeadField[]): number {
  const namesake = all.find((field) => field.key === key);
  if (namesake) {
    throw new ValidationFailed({
      field: 'key',
      message: namesake.archivedAt
        ? 'is the key of an archived field; restore that one'
        : 'is the key of another field',
    });
  }
  refuseTooMany(all);
  if (all.length >= MAX_EVER) {
    throw new ValidationFailed({
      field: 'key',
      message: `can’t be added: there are ${MAX_EVER} custom fields, archived ones included; restore and rename one of them`,
    });
  }
  return Math.min(Math.max(0, ...all.map(({ position }) => position)) + 1, MAX_POSITION);
}

export function refuseTooMany(all: readonly LeadField[]): void {
  if (all.filter(({ archivedAt }) => !archivedAt).length < MAX_FIELDS) return;
  throw new ValidationFailed({
    field: 'key',
    message: `can’t be added: there are ${MAX_FIELDS} custom fields already; archive one first`,
  });
}

/** @throws ValidationFailed if the fields have so many long options that reading them takes too long */
export function refuseTooLarge(all: readonly LeadField[]): void {
  const bytes = all.reduce((sum, { options }) => sum + Buffer.byteLength(JSON.stringify(options)), 0);
  if (bytes <= MAX_OPTION_BYTES) return;
  throw new ValidationFailed({
    field: 'options',
    message: `must take at most ${MAX_OPTION_BYTES} bytes as JSON, with those of all other fields, archived ones included; they would take ${bytes}`,
  });
}

/**
 * Makes a field the same in the other mode. Options that are there alone stay, and come last.
 *
 * @param known the fields of the other mode
 * @throws ValidationFailed if it has another type there, or there is no room for it
 */
export function copyField(
  ref: WorkspaceRef,
  from: LeadField,
  known: readonly LeadField[],
  now: Date,
): { field: LeadField; events: DomainEvent[]; isNew: boolean } {
  const { key, type, label, description, isRequired, position } = from;
  const field = known.find((each) => each.key === key);
  const rules = { label, description, isRequired, position };
  if (!field) {
    roomFor(from, known);
    return {
      ...LeadField.open(ref, { key, type, ...rules, options: from.options }, now),
      isNew: true,
    };
  }
  if (field.type !== type) {
    throw new ValidationFailed({
      field: 'type',
      message: `of the field ${key} is ${field.type} in live data, not ${type}`,
    });
  }
  if (field.archivedAt) refuseTooMany(known);
  const own = field.options.filter(({ value }) => !from.options.some((option) => option.value === value));
  return {
    field,
    events: [...field.restore(now), ...field.change({ ...rules, options: [...from.options, ...own] }, now)],
    isNew: false,
  };
}
