import { codePoints, foldText } from '../../../kernel/text';
import { isCalendarDate, parseInstant } from '../../../kernel/time';

/** The types of custom fields. The type of a field decides which values leads can have in it. */
export const FIELD_TYPES = [
  'text',
  'long_text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'url',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** One of the values that a field of the type `select` or `multi_select` offers. */
export interface FieldOption {
  /** Stands for the option in values of leads. It never changes. */
  value: string;
  label: string;
  /** No lead can get it any more; leads that have it keep it. */
  archived: boolean;
}

/** A value in its written form, as it is stored and shown. */
export type FieldValue = string | number | boolean | string[];

/** A value in its written form, null if it is empty; or why the field doesn't take it. */
export type CheckedValue = { readonly value: FieldValue | null } | { readonly problem: string };

interface Typed {
  readonly type: FieldType;
  readonly options: readonly FieldOption[];
}

const MAX_LENGTHS = { text: 255, long_text: 4000, url: 2000 } as const;
const MAX_NUMBER = 1e15;
const MAX_SIGNIFICANT_DIGITS = 15;
const MAX_DECIMALS = 10;

export function hasOptions(type: FieldType): boolean {
  return type === 'select' || type === 'multi_select';
}

/**
 * The written form of a value from a request: an instant in UTC, and each option of a `multi_select` once.
 *
 * @param current the lead's value, which may hold archived options
 */
export function checkValue({ type, options }: Typed, given: unknown, current?: FieldValue): CheckedValue {
  if (given === null || given === undefined) return { value: null };
  switch (type) {
    case 'text':
    case 'long_text':
      return checkText(given, MAX_LENGTHS[type]);
    case 'url':
      return checkUrl(given);
    case 'integer':
      return checked(
        Number.isSafeInteger(given),
        given,
        `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
      );
    case 'decimal':
      return checked(
        typeof given === 'number' && isExact(given),
        given,
        `must be a number of at most ${MAX_SIGNIFICANT_DIGITS} digits, at most ${MAX_DECIMALS} of them decimals`,
      );
    case 'boolean':
      return checked(typeof given === 'boolean', given, 'must be true or false');
    case 'date':
      return checked(
        typeof given === 'string' && isCalendarDate(given),
        given,
        'must be a day that exists, written YYYY-MM-DD, from 1900 to 9999',
      );
    case 'datetime': {
      const instant = typeof given === 'string' ? parseInstant(given) : undefined;
      return instant
        ? { value: instant.toISOString() }
        : { problem: 'must be an RFC 3339 time such as 2027-06-12T18:00:00Z' };
    }
    case 'select':
      return checkOption(options, given, current === given);
    case 'multi_select':
      return checkOptions(options, given, Array.isArray(current) ? current : []);
  }
}

/** The value that leads must have, or of which a `multi_select` must be a part, for a filter's text. */
export function checkFilter({ type, options }: Typed, text: string): CheckedValue {
  if (type === 'boolean') return checkValue({ type, options }, { true: true, false: false }[text] ?? text);
  if (type === 'integer' || type === 'decimal') {
    return checkValue({ type, options }, /^-?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : text);
  }
  if (hasOptions(type)) {
    const option = options.find(({ value }) => foldText(value) === foldText(text));
    if (!option) return { problem: unknownOption(options) };
    return { value: type === 'select' ? option.value : [option.value] };
  }
  if (type === 'text' || type === 'long_text' || type === 'url') return { value: text };
  const found = checkValue({ type, options }, text);
  return 'problem' in found && type === 'datetime'
    ? { problem: `${found.problem} (encode the + of an offset as %2B in a query)` }
    : found;
}

function checked(isRight: boolean, given: unknown, problem: string): CheckedValue {
  return isRight ? { value: given as FieldValue } : { problem };
}

function checkText(given: unknown, max: number): CheckedValue {
  if (typeof given !== 'string') return { problem: 'must be a string' };
  if (given.trim() === '') return { problem: 'must not be blank; null empties the field' };
  return checked(
    given.length <= max || (given.length <= 2 * max && codePoints(given) <= max),
    given,
    `must have at most ${max} characters`,
  );
}

/** Only of the web: pages show it as a link. */
function checkUrl(given: unknown): CheckedValue {
  const text = checkText(given, MAX_LENGTHS.url);
  if ('problem' in text) return text;
  const isUrl = /^https?:\/\/[^\s\\]+$/i.test(given as string) && URL.canParse(given as string);
  return checked(isUrl, given, 'must be an address such as https://example.com/menu');
}

/** Whether a number is read again as it was written, from JSON and from the database. */
function isExact(number: number): boolean {
  if (Math.abs(number) >= MAX_NUMBER) return false;
  const [mantissa, exponent] = Math.abs(number).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const decimals = digits.length - 1 - Number(exponent);
  return digits.length <= MAX_SIGNIFICANT_DIGITS && decimals <= MAX_DECIMALS;
}

function checkOption(options: readonly FieldOption[], given: unknown, isKept: boolean): CheckedValue {
  const option = options.find(({ value }) => value === given);
  if (!option) return { problem: unknownOption(options) };
  return checked(
    !option.archived || isKept,
    given,
    `can’t be ${option.value}, which is archived; choose another option`,
  );
}

function checkOptions(
  options: readonly FieldOption[],
  given: unknown,
  current: readonly string[],
): CheckedValue {
  if (!Array.isArray(given)) return { problem: 'must be an array of options' };
  // Long lists are refused before their items are looked up.
  if (given.length > options.length) return { problem: `must hold each option at most once` };
  for (const item of given as unknown[]) {
    const found = checkOption(options, item, current.includes(item as string));
    if ('problem' in found) return { problem: `each item ${found.problem}` };
  }
  const values = [...new Set(given as string[])];
  return { value: values.length > 0 ? values : null };
}

/** Names so many options, with so many characters, that a message stays readable. A request may have thousands of problems. */
const MAX_NAMED = 20;
const MAX_NAMED_LENGTH = 200;

function unknownOption(options: readonly FieldOption[]): string {
  const offered = options.filter(({ archived }) => !archived).map(({ value }) => value);
  const named: string[] = [];
  let length = 0;
  for (const value of offered.slice(0, MAX_NAMED)) {
    length += value.length;
    if (named.length > 0 && length > MAX_NAMED_LENGTH) break;
    named.push(value);
  }
  const more = offered.length > named.length ? `, and ${offered.length - named.length} more` : '';
  return `must be one of ${named.join(', ')}${more}`;
}
