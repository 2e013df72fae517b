import { type FieldProblem, problemsOf, ValidationFailed } from '../../../kernel/errors';
import { foldText } from '../../../kernel/text';
import { type CheckedValue, checkFilter, checkValue, type FieldValue } from './field-value';
import type { LeadFieldView } from './lead-field';

/** Of a lead: all values together, as JSON in UTF-8. */
export const MAX_VALUE_BYTES = 8192;
/** As many as a response names. */
const MAX_PROBLEMS = 50;
const MAX_KEY_SHOWN = 40;

/** The values of a lead by the keys of their fields, those of archived fields included. Empty fields are absent. */
export type StoredValues = Readonly<Record<string, FieldValue>>;

/** The values of a lead by the keys of all fields that aren't archived; null where a field is empty. */
export type CustomValues = Record<string, FieldValue | null>;

/** Values as a request holds them: fields that aren't there stay as they are, and null empties one. */
export type GivenValues = Readonly<Record<string, unknown>>;

/** The custom fields of a workspace in one mode, as its leads use them. */
export class CustomFields {
  static readonly NONE = new CustomFields([]);

  private readonly byKey: ReadonlyMap<string, LeadFieldView>;

  /** @param active the fields that aren't archived, in their order */
  constructor(readonly active: readonly LeadFieldView[]) {
    this.byKey = new Map(active.map((field) => [field.key, field]));
  }

  /** The same fields, none of which is required. */
  get optional(): CustomFields {
    if (!this.active.some(({ isRequired }) => isRequired)) return this;
    return new CustomFields(this.active.map((field) => ({ ...field, isRequired: false })));
  }

  /**
   * The values of a new lead.
   *
   * @throws ValidationFailed naming `custom.<key>` for each value that its field doesn't take, and each required one that is missing
   */
  forNew(given: GivenValues = {}): StoredValues {
    refuse(this.problemsOfNew(given));
    return this.merged({}, this.written(given, {}));
  }

  /**
   * Of the given values, those that differ from the lead's, in their written form; undefined if none does.
   *
   * @throws ValidationFailed naming `custom.<key>` for each value that its field doesn't take
   */
  changes(stored: StoredValues, given: GivenValues): CustomValues | undefined {
    refuse(this.problems(given, stored));
    const different = Object.entries(this.written(given, stored)).filter(
      ([key, value]) => !isSame(stored[key] ?? null, value),
    );
    return different.length > 0 ? Object.fromEntries(different) : undefined;
  }

  /** The changes that these values make, or none if a field doesn't take one of them. */
  acceptable(stored: StoredValues, given: GivenValues): CustomValues {
    let changes: CustomValues = {};
    const problems = problemsOf(() => {
      changes = this.changes(stored, given) ?? {};
      this.merged(stored, changes);
    });
    return problems.length > 0 ? {} : changes;
  }

  /** @throws ValidationFailed if the values would take more than `MAX_VALUE_BYTES` */
  merged(stored: StoredValues, changes: CustomValues): StoredValues {
    const values = Object.fromEntries(
      Object.entries({ ...stored, ...changes }).filter(
        (entry): entry is [string, FieldValue] => entry[1] !== null,
      ),
    );
    const bytes = Buffer.byteLength(JSON.stringify(values));
    if (bytes > MAX_VALUE_BYTES) {
      throw new ValidationFailed({
        field: 'custom',
        message: `must take at most ${MAX_VALUE_BYTES} bytes as JSON, values of archived fields included; it would take ${bytes}`,
      });
    }
    return values;
  }

  shown(stored: StoredValues): CustomValues {
    const shown: CustomValues = {};
    for (const { key } of this.active) shown[key] = stored[key] ?? null;
    return shown;
  }

  /** What is wrong with values for a new lead. */
  problemsOfNew(given: GivenValues): FieldProblem[] {
    const missing = this.active
      .filter(({ key, isRequired }) => isRequired && isEmpty(given[key]))
      .map(({ key }) => ({ field: `custom.${key}`, message: 'is required' }));
    return [...this.problems(given), ...missing].slice(0, MAX_PROBLEMS);
  }

  /** What is wrong with values for a lead that has others already. */
  problems(given: GivenValues, stored: StoredValues = {}): FieldProblem[] {
    return this.problemsBy(given, (field, value) => checkValue(field, value, stored[field.key]));
  }

  /** What is wrong with values whatever the lead is: one may keep an archived option that it has. */
  problemsOnAny(given: GivenValues): FieldProblem[] {
    return this.problems(given, given as StoredValues);
  }

  /** @throws ValidationFailed naming `custom.<key>` for each value that no lead takes */
  requireFitting(given: GivenValues): void {
    refuse(this.problemsOnAny(given));
  }

  /** What is wrong with the texts of filters. */
  filterProblems(given: GivenValues): FieldProblem[] {
    return this.problemsBy(given, checkParameter);
  }

  /**
   * The values that leads must have for these texts, by the keys of the fields: in the form of `foldText`, a list of one for a
   * `multi_select` that must hold it.
   *
   * @throws ValidationFailed naming `custom.<key>`
   */
  filter(given: GivenValues): StoredValues {
    refuse(this.filterProblems(given));
    const values = Object.entries(given).map(([key, text]) => {
      const found = checkFilter(this.byKey.get(key)!, text as string) as { value: FieldValue };
      return [key, folded(found.value)] as const;
    });
    return Object.fromEntries(values);
  }

  private problemsBy(
    given: GivenValues,
    check: (field: LeadFieldView, value: unknown) => CheckedValue,
  ): FieldProblem[] {
    const problems: FieldProblem[] = [];
    for (const [key, value] of Object.entries(given)) {
      if (problems.length === MAX_PROBLEMS) break;
      const field = this.byKey.get(key);
      const found = field ? check(field, value) : { problem: 'is not a custom field of this workspace' };
      if ('problem' in found) problems.push({ field: `custom.${shownKey(key)}`, message: found.problem });
    }
    return problems;
  }

  private written(given: GivenValues, stored: StoredValues): CustomValues {
    const entries = Object.entries(given).map(([key, value]) => {
      const found = checkValue(this.byKey.get(key)!, value, stored[key]);
      return [key, (found as { value: FieldValue | null }).value] as const;
    });
    return Object.fromEntries(entries);
  }
}

/** Those of the values that have these keys. */
export function valuesAt(keys: readonly string[], values: CustomValues): CustomValues {
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
}

/** Whether a lead has the values that `CustomFields.filter` returned. */
export function haveValues(values: CustomValues, wanted: StoredValues): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const own = values[key] ?? null;
    if (own === null) return false;
    const found = folded(own);
    if (!Array.isArray(value)) return found === value;
    return Array.isArray(found) && value.every((each) => found.includes(each));
  });
}

function checkParameter(field: LeadFieldView, text: unknown): CheckedValue {
  if (Array.isArray(text)) return { problem: 'must be given only once' };
  if (typeof text !== 'string' || text.trim() === '') return { problem: 'must not be blank' };
  return checkFilter(field, text);
}

function folded(value: FieldValue): FieldValue {
  if (Array.isArray(value)) return value.map(foldText);
  return typeof value === 'string' ? foldText(value) : value;
}

function refuse([first, ...more]: readonly FieldProblem[]): void {
  if (first) throw new ValidationFailed(first, ...more);
}

function shownKey(key: string): string {
  return key.length > MAX_KEY_SHOWN ? `${key.slice(0, MAX_KEY_SHOWN).toWellFormed()}…` : key.toWellFormed();
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isSame(one: FieldValue | null, other: FieldValue | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
