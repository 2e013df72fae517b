import type { Rule } from './field-rules';

/** A rule for a query parameter: given once, not blank, and then what `rule` wants of its text. */
export const parameter =
  (rule: (value: string) => string | undefined): Rule =>
  (value) => {
    if (Array.isArray(value)) return 'must be given only once';
    if (typeof value !== 'string' || value.trim() === '') return 'must not be blank';
    return rule(value);
  };
