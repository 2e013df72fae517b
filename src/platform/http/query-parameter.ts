import { Field, type FieldOptions } from './field';
import { NOT_BLANK, type Rule, rule } from './field-rules';

const ANY_TEXT = rule(NOT_BLANK, () => undefined);

/**
 * A query parameter, given at most once and not blank; its text then follows the rule. Optional unless `presence` says
 * otherwise.
 */
export function QueryParameter({
  rule = ANY_TEXT,
  presence = 'optional',
  ...documentation
}: Partial<FieldOptions>): PropertyDecorator {
  return Field({ rule: parameter(rule), presence, ...documentation });
}

export const parameter = (check: Rule): Rule =>
  rule(check.schema, (value) => {
    if (Array.isArray(value)) return 'must be given only once';
    if (typeof value !== 'string' || value.trim() === '') return 'must not be blank';
    return check(value);
  });

/** A plain decimal integer from 1, as parameters spell it; without `max` there is no largest. */
export const wholeNumber = (max?: number): Rule =>
  rule({ type: 'integer', minimum: 1, ...(max && { maximum: max }) }, (value) =>
    /^[1-9]\d*$/.test(value as string) && Number(value) <= (max ?? Infinity)
      ? undefined
      : `must be a whole number from 1${max ? ` to ${max}` : ''}`,
  );
