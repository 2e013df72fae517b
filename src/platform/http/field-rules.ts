import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import { parseId } from '../../kernel/ids';
import { codePoints, invisibleCharacter } from '../../kernel/text';
import { isCalendarDate, parseInstant } from '../../kernel/time';

/** Returns the problem with a value, or undefined. Text that can't be stored is refused before any check runs. */
export type ValueCheck = (value: unknown) => string | undefined;

type DtoClass = () => new () => object;

/** The values that a field takes: the check, and the same in JSON Schema for the API reference. */
export interface Rule extends ValueCheck {
  readonly schema: SchemaObject;
  /** The class of an object with fields of its own, or of each item of a list of such objects. */
  readonly nested?: DtoClass;
  /** The handler checks what is within the value, one item at a time, with `validate`: an item that is wrong leaves the others. */
  readonly isLeftToHandler?: boolean;
}

export const rule = (schema: SchemaObject, check: ValueCheck, nested?: DtoClass): Rule =>
  Object.assign((value: unknown) => check(value), { schema, ...(nested && { nested }) });

/** Not white space alone, by the same characters as `trim` goes by. */
export const NOT_BLANK = { type: 'string', minLength: 1, pattern: '\\S' } as const;

export const text = (max: number): Rule =>
  rule({ ...NOT_BLANK, maxLength: max }, (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value.trim() === '') return 'must not be blank';
    return isLonger(value, max) ? `must have at most ${max} characters` : undefined;
  });

/** Counts the characters of a text only when its length leaves it open: each has one UTF-16 unit or two. */
function isLonger(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || codePoints(value) > max);
}

/** For text that is compared and never stored, such as a password. */
export const anyText: ValueCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');

export const email: Rule = rule({ type: 'string', format: 'idn-email', maxLength: 254 }, (value) => {
  if (typeof value !== 'string') return 'must be a string';
  if (isLonger(value, 254)) return 'must have at most 254 characters';
  if (value.includes(' ')) return 'must not contain spaces';
  const invisible = invisibleCharacter(value);
  if (invisible) return `must not contain the invisible character ${invisible}`;
  return isEmail(value) ? undefined : 'must be an e-mail address such as ana@example.com';
});

export const integer = (min: number, max: number): Rule =>
  rule({ type: 'integer', minimum: min, maximum: max }, (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`,
  );

/** A number written with at most `decimals` decimals. */
export const decimal = (min: number, max: number, decimals: number): Rule => {
  const written = new RegExp(`^-?\\d+(\\.\\d{1,${decimals}})?$`);
  return rule({ type: 'number', minimum: min, maximum: max }, (value) =>
    typeof value === 'number' && value >= min && value <= max && written.test(String(value))
      ? undefined
      : `must be a number from ${min} to ${max} with at most ${decimals} decimals`,
  );
};

export const oneOf = (values: readonly string[]): Rule =>
  rule({ type: 'string', enum: [...values] }, (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`,
  );

/** A month and a day that exist in some year: the pattern can't tell whether 29 February exists in this one. */
export const MONTH_AND_DAY_PATTERN =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))';

/** An RFC 3339 time of day with its offset, without leap seconds and with at most nine decimals. */
export const TIME_PATTERN =
  '[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';

export const date: Rule = rule(
  { type: 'string', format: 'date', pattern: `^(19|[2-9][0-9])[0-9]{2}-${MONTH_AND_DAY_PATTERN}$` },
  (value) =>
    typeof value === 'string' && isCalendarDate(value)
      ? undefined
      : 'must be a day that exists, written YYYY-MM-DD, from 1900 to 9999',
);

export const instant: Rule = rule(
  {
    type: 'string',
    format: 'date-time',
    pattern: `^(?!0000)[0-9]{4}-${MONTH_AND_DAY_PATTERN}${TIME_PATTERN}$`,
  },
  (value) =>
    typeof value === 'string' && parseInstant(value)
      ? undefined
      : 'must be an RFC 3339 time such as 2027-06-12T18:00:00Z (encode the + of an offset as %2B in a query)',
);

const PLANNABLE_DAY_PATTERN = `(19|2[0-9])[0-9]{2}-${MONTH_AND_DAY_PATTERN}`;
const isPlannable = (text: string) => text >= '1900' && text < '3000';

/** Years that every calculation with time zones can reach and every store can hold. */
export const plannableDate: Rule = rule(
  { type: 'string', format: 'date', pattern: `^${PLANNABLE_DAY_PATTERN}$` },
  (value) =>
    typeof value === 'string' && isCalendarDate(value) && isPlannable(value)
      ? undefined
      : 'must be a day that exists, written YYYY-MM-DD, from 1900 to 2999',
);

export const plannableInstant: Rule = rule(
  { type: 'string', format: 'date-time', pattern: `^${PLANNABLE_DAY_PATTERN}${TIME_PATTERN}$` },
  (value) =>
    typeof value === 'string' && parseInstant(value) && isPlannable(value)
      ? undefined
      : 'must be an RFC 3339 time such as 2027-06-12T18:00:00Z, from 1900 to 2999',
);

/** The form of an id. Whether such an object exists is checked later. */
export const idOf = (prefix: string): Rule =>
  rule({ type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` }, (value) =>
    typeof value === 'string' && parseId(prefix, value) ? undefined : `must be an id such as ${prefix}_…`,
  );

/**
 * A list of strings that each follow a rule. Lists longer than `maxItems` are refused before any item is checked
 * (`readObject`); a business rule may count differently, such as without duplicates.
 */
export const listOf = (item: Rule, maxItems: number): Rule =>
  rule({ type: 'array', maxItems, items: item.schema }, (value) => {
    if (!Array.isArray(value)) return 'must be an array of strings';
    for (const each of value) {
      const problem = item(each);
      if (problem) return `each item ${problem}`;
    }
    return undefined;
  });

export const textList = (itemMax: number, maxItems: number): Rule => listOf(text(itemMax), maxItems);

/** An object with the fields of a DTO class. */
export const object = (type: DtoClass): Rule =>
  rule({ type: 'object' }, (value) => (isObject(value) ? undefined : 'must be an object'), type);

/** A list of objects with the fields of a DTO class. */
export const objectList = (type: DtoClass, maxItems: number): Rule =>
  rule(
    { type: 'array', maxItems },
    (value) => (isObjectList(value) ? undefined : 'must be an array of objects'),
    type,
  );

/** A list of objects that the handler checks one by one; `items` is their schema. */
export const independentObjects = (items: SchemaObject | ReferenceObject, maxItems: number): Rule =>
  Object.assign(
    rule({ type: 'array', minItems: 1, maxItems, items }, (value) => {
      if (!isObjectList(value)) return 'must be an array of objects';
      return value.length === 0 ? 'must hold at least one item' : undefined;
    }),
    { isLeftToHandler: true },
  );

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isObjectList(value: unknown): value is object[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Reports the first problem that one of the checks finds; the schemas of its rules are merged. */
export const all = (...checks: ValueCheck[]): Rule =>
  rule(
    Object.assign({}, ...checks.map((check) => (check as Partial<Rule>).schema)) as SchemaObject,
    (value) => {
      for (const check of checks) {
        const problem = check(value);
        if (problem) return problem;
      }
      return undefined;
    },
  );
