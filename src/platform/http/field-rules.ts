import type { ApiPropertyOptions } from '@nestjs/swagger';
import { parseId } from '../../kernel/ids';
import { codePoints, invisibleCharacter } from '../../kernel/text';
import { isCalendarDate, parseInstant } from '../../kernel/time';
import { isEmail } from './class-validator';

/** Says what is wrong with a value, or nothing. Text that can't be stored was refused before any rule is asked. */
export interface Rule {
  (value: unknown): string | undefined;
  /** What JSON Schema can say of the rule; `Field` puts it into the API reference. */
  readonly schema?: Partial<ApiPropertyOptions>;
}

/** A rule together with what JSON Schema can say of it. */
export const rule = (
  schema: NonNullable<Rule['schema']>,
  check: (value: unknown) => string | undefined,
): Rule => Object.assign((value: unknown) => check(value), { schema });

/** Not white space alone, by the same characters as `trim` goes by. */
export const NOT_BLANK = { minLength: 1, pattern: '\\S' } as const;

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

/** For what is compared with something and never stored, such as a password: whether it is right says all. */
export const anyText: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a string');

export const email: Rule = rule({ format: 'idn-email', maxLength: 254 }, (value) => {
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

/** A number that was written with at most so many decimals. */
export const decimal = (min: number, max: number, decimals: number): Rule => {
  const written = new RegExp(`^-?\\d+(\\.\\d{1,${decimals}})?$`);
  return rule({ type: 'number', minimum: min, maximum: max }, (value) =>
    typeof value === 'number' && value >= min && value <= max && written.test(String(value))
      ? undefined
      : `must be a number from ${min} to ${max} with at most ${decimals} decimals`,
  );
};

export const oneOf = (values: readonly string[]): Rule =>
  rule({ enum: [...values] }, (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`,
  );

/** Month and day, which leaves the 29th of February to be looked at. */
export const MONTH_AND_DAY_PATTERN =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))';

/** A time of day by RFC 3339 with its offset; without leap seconds, and with nine decimals at most. */
export const TIME_PATTERN =
  '[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';

export const date: Rule = rule(
  { format: 'date', pattern: `^(19|[2-9][0-9])[0-9]{2}-${MONTH_AND_DAY_PATTERN}$` },
  (value) =>
    typeof value === 'string' && isCalendarDate(value)
      ? undefined
      : 'must be a day that exists, written YYYY-MM-DD, from 1900 to 9999',
);

export const instant: Rule = rule(
  { format: 'date-time', pattern: `^(?!0000)[0-9]{4}-${MONTH_AND_DAY_PATTERN}${TIME_PATTERN}$` },
  (value) =>
    typeof value === 'string' && parseInstant(value)
      ? undefined
      : 'must be an RFC 3339 time such as 2027-06-12T18:00:00Z (encode the + of an offset as %2B in a query)',
);

/** Text that spells an id of that kind. Whether there is such an object is another question. */
export const idOf = (prefix: string): Rule =>
  rule({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` }, (value) =>
    typeof value === 'string' && parseId(prefix, value) ? undefined : `must be an id such as ${prefix}_…`,
  );

/** A list whose items keep a rule; the largest count is the business rule's to check, since it may count differently. */
export const listOf = (item: Rule): Rule =>
  rule({ type: 'array', items: { type: 'string', ...item.schema } as never }, (value) => {
    if (!Array.isArray(value)) return 'must be an array of strings';
    for (const each of value) {
      const problem = item(each);
      if (problem) return `each item ${problem}`;
    }
    return undefined;
  });

/** A list of texts. */
export const textList = (itemMax: number): Rule => listOf(text(itemMax));

/** The first rule that finds something wrong speaks. */
export const all = (...rules: Rule[]): Rule =>
  rule(Object.assign({}, ...rules.map(({ schema }) => schema)) as NonNullable<Rule['schema']>, (value) => {
    for (const each of rules) {
      const problem = each(value);
      if (problem) return problem;
    }
    return undefined;
  });
