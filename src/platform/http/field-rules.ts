import { codePoints } from '../../kernel/text';
import { isCalendarDate, parseInstant } from '../../kernel/time';
import { isEmail } from './class-validator';

/** Says what is wrong with a value, or nothing. Text that can't be stored was refused before any rule is asked. */
export type Rule = (value: unknown) => string | undefined;

export const text =
  (max: number): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value.trim() === '') return 'must not be blank';
    return codePoints(value) > max ? `must have at most ${max} characters` : undefined;
  };

/** For what is compared with something and never stored, such as a password: whether it is right says all. */
export const anyText: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a string');

export const email: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  if (codePoints(value) > 254) return 'must have at most 254 characters';
  return isEmail(value) ? undefined : 'must be an e-mail address such as ana@example.com';
};

export const integer =
  (min: number, max: number): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`;

/** A number that was written with at most so many decimals. */
export const decimal = (min: number, max: number, decimals: number): Rule => {
  const written = new RegExp(`^-?\\d+(\\.\\d{1,${decimals}})?$`);
  return (value) =>
    typeof value === 'number' && value >= min && value <= max && written.test(String(value))
      ? undefined
      : `must be a number from ${min} to ${max} with at most ${decimals} decimals`;
};

export const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

export const date: Rule = (value) =>
  typeof value === 'string' && isCalendarDate(value)
    ? undefined
    : 'must be a day that exists, written YYYY-MM-DD, from 1900 to 9999';

export const instant: Rule = (value) =>
  typeof value === 'string' && parseInstant(value)
    ? undefined
    : 'must be an RFC 3339 time such as 2027-06-12T18:00:00Z (encode the + of an offset as %2B in a query)';

/** A list of texts; the largest count is the business rule's to check, since it may count differently. */
export const textList =
  (itemMax: number): Rule =>
  (value) => {
    if (!Array.isArray(value)) return 'must be an array of strings';
    for (const item of value) {
      const problem = text(itemMax)(item);
      if (problem) return `each item ${problem}`;
    }
    return undefined;
  };

/** The first rule that finds something wrong speaks. */
export const all =
  (...rules: Rule[]): Rule =>
  (value) => {
    for (const rule of rules) {
      const problem = rule(value);
      if (problem) return problem;
    }
    return undefined;
  };
