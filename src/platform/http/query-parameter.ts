import { Field, type FieldOptions, rulesOf } from './field';
import { isObject, NOT_BLANK, type Rule, rule } from './field-rules';

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

const NAMED_PARAMETERS = rule({ type: 'object', additionalProperties: NOT_BLANK }, (value) =>
  isObject(value) ? undefined : 'must be followed by a dot and a name',
);

/**
 * All query parameters that begin with the field's name and a dot, as an object by the rest of their names. Their texts are
 * checked where it is known which there are; a repeated one is an array.
 */
export function NamedParameters(
  documentation: Pick<FieldOptions, 'description' | 'example'>,
): PropertyDecorator {
  return Field({ rule: NAMED_PARAMETERS, presence: 'optional', ...documentation });
}

/** The fields of a query DTO that are `NamedParameters`. */
export function namedParametersOf(dtoClass: new () => object): string[] {
  return [...rulesOf(dtoClass)].flatMap(([name, rule]) => (rule === NAMED_PARAMETERS ? [name] : []));
}

/** The query with an object `custom` instead of parameters such as `custom.room`, for each of these fields. */
export function gathered(query: object, fields: readonly string[]): object {
  if (fields.length === 0) return query;
  const whole = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    const field = fields.find((each) => name.startsWith(`${each}.`) && !Object.hasOwn(query, each));
    if (field === undefined) whole[name] = value;
    else {
      const named = (whole[field] ??= Object.create(null)) as Record<string, unknown>;
      named[name.slice(field.length + 1)] = value;
    }
  }
  return whole;
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
