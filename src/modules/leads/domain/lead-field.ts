import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import { type LeadFieldId, newId, type WorkspaceId } from '../../../kernel/ids';
import { withRevision } from '../../../kernel/precondition';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { foldText } from '../../../kernel/text';
import { timeOfChange } from '../../../kernel/time';
import { type FieldOption, type FieldType, hasOptions } from './field-value';

export const MAX_OPTIONS = 200;
/** The largest position that a request or an addition gives a field. */
export const MAX_POSITION = 1000;

/** `constructor` is what every object has already. */
export const FIELD_KEY_PATTERN = '^(?!constructor$)[a-z][a-z0-9_]{0,39}$';
const FIELD_KEY = new RegExp(FIELD_KEY_PATTERN);
/** Words with single spaces between them; a semicolon separates several options in one cell of a file. */
export const OPTION_VALUE_PATTERN = '^[^\\s;]+( [^\\s;]+)*$';

export function isFieldKey(value: unknown): boolean {
  return typeof value === 'string' && FIELD_KEY.test(value);
}

/** What clients change of a field. */
export interface LeadFieldFields {
  label: string;
  description: string | null;
  /** Empty unless the type has options. */
  options: FieldOption[];
  /** Whether new leads must have a value in it. */
  isRequired: boolean;
  /** Orders the fields; of those with the same one the older comes first. */
  position: number;
}

export type NewLeadField = Pick<LeadFieldView, 'key' | 'label' | 'type'> & Partial<LeadFieldFields>;

/** A custom field as the API and events contain it. */
export interface LeadFieldView extends LeadFieldFields {
  id: LeadFieldId;
  key: string;
  type: FieldType;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A field that a workspace has added to its leads. Its key and type never change, since values go by them. */
export class LeadField implements LeadFieldFields {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: LeadFieldId;
  readonly key!: string;
  label!: string;
  description!: string | null;
  readonly type!: FieldType;
  options!: FieldOption[];
  isRequired!: boolean;
  position!: number;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /** @throws ValidationFailed for options that don’t go with the type or with each other */
  static open(
    { workspaceId, mode }: WorkspaceRef,
    fields: NewLeadField & Pick<LeadFieldFields, 'position'>,
    now: Date,
  ): { field: LeadField; events: DomainEvent[] } {
    const field = new LeadField({
      workspaceId,
      mode,
      id: newId('field'),
      description: null,
      options: [],
      isRequired: false,
      ...fields,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    if (!isFieldKey(field.key)) {
      throw new ValidationFailed({ field: 'key', message: `can’t be ${field.key}; choose another one` });
    }
    field.refuseOptions(field.options, []);
    return { field, events: [field.event('created')] };
  }

  /** @throws ValidationFailed for an archived field, or if an option that leads may have is missing */
  change(changes: Partial<LeadFieldFields>, now: Date): DomainEvent[] {
    if (this.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived field can’t be changed; restore it first',
      });
    }
    if (changes.options) this.refuseOptions(changes.options, this.options);
    const names = (Object.keys(changes) as (keyof LeadFieldFields)[]).filter(
      (name) => changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(this[name]),
    );
    if (names.length === 0) return [];
    const previous = Object.fromEntries(names.map((name) => [name, this[name]]));
    Object.assign(this, Object.fromEntries(names.map((name) => [name, changes[name]])));
    return [this.touched('updated', previous, now)];
  }

  archive(now: Date): DomainEvent[] {
    if (this.archivedAt) return [];
    this.archivedAt = timeOfChange(this.updatedAt, now);
    return [this.touched('archived', { archivedAt: null }, now)];
  }

  /** Leads show the values again that they had. */
  restore(now: Date): DomainEvent[] {
    const { archivedAt } = this;
    if (!archivedAt) return [];
    this.archivedAt = null;
    return [this.touched('restored', { archivedAt }, now)];
  }

  view(): LeadFieldView {
    const { id, key, label, description, type, options, isRequired, position } = this;
    const { archivedAt, createdAt, updatedAt, revision } = this;
    const rules = { id, key, label, description, type, options, isRequired, position };
    return withRevision({ ...rules, archivedAt, createdAt, updatedAt }, revision);
  }

  private refuseOptions(options: readonly FieldOption[], former: readonly FieldOption[]): void {
    const [first, ...more] = optionProblems(this.type, options, former);
    if (first) throw new ValidationFailed(first, ...more);
  }

  private touched(what: string, previous: object, now: Date): DomainEvent {
    const told = { ...previous, updatedAt: this.updatedAt };
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
    return this.event(what, told);
  }

  private event(what: string, previous?: object): DomainEvent {
    const { workspaceId, mode, updatedAt } = this;
    return domainEvent({
      type: `lead_field.${what}`,
      workspace: { workspaceId, mode },
      timestamp: updatedAt,
      data: this.view(),
      previous,
    });
  }
}

/** @param former the options that leads may have */
function optionProblems(
  type: FieldType,
  options: readonly FieldOption[],
  former: readonly FieldOption[],
): FieldProblem[] {
  const problem = (message: string, field = 'options') => ({ field, message });
  if (!hasOptions(type)) {
    return options.length > 0 ? [problem(`can’t be given for the type ${type}, which has none`)] : [];
  }
  if (options.length > MAX_OPTIONS) return [problem(`must hold at most ${MAX_OPTIONS} items`)];
  const lost = former.find(({ value }) => !options.some((option) => option.value === value));
  if (lost) {
    return [problem(`must contain ${lost.value}, which leads may have; archive it with archived: true`)];
  }
  if (options.every(({ archived }) => archived)) {
    return [problem('must contain at least one option that isn’t archived')];
  }
  const known = new Set<string>();
  return options.flatMap(({ value }, index) => {
    const isKnown = known.has(foldText(value));
    known.add(foldText(value));
    return isKnown ? [problem('is the value of another option', `options[${index}].value`)] : [];
  });
}
