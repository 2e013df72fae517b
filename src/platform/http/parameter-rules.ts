import { NOT_BLANK, type Rule, rule } from './field-rules';

/** A rule for a query parameter: given once, not blank, and then what `check` wants of its text. */
export const parameter = (check: ((value: string) => string | undefined) & Pick<Rule, 'schema'>): Rule =>
  rule(check.schema ?? NOT_BLANK, (value) => {
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
