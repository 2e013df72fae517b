import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import type { ValidationArguments } from 'class-validator';
import { ApiProperty } from '../openapi/decorators';
import { ValidateBy, ValidateIf, ValidateNested } from './class-validator';
import type { Rule } from './field-rules';

export interface FieldOptions {
  rule: Rule;
  /** The field's JSON Schema for the API reference. */
  schema: ApiPropertyOptions;
  /** `required`: absent and null are refused. `nullable`: null means absent, or clears on an update. */
  presence: 'required' | 'nullable' | 'optional';
}

/** One field of a request: its validation and its place in the API reference. */
export function Field({ rule, schema, presence }: FieldOptions): PropertyDecorator {
  const isAbsent = (value: unknown): boolean =>
    value === undefined || (presence === 'nullable' && value === null);
  const problem: Rule = (value) => {
    if (presence === 'required' && (value === undefined || value === null)) return 'is required';
    return rule(value);
  };
  const decorators = [
    ApiProperty({
      ...schema,
      ...rule.schema,
      required: presence === 'required',
      ...(presence === 'nullable' && { nullable: true }),
    } as ApiPropertyOptions),
    ValidateBy({
      name: 'rule',
      validator: {
        validate: (value) => problem(value) === undefined,
        defaultMessage: (args?: ValidationArguments) => problem(args?.value) ?? '',
      },
    }),
  ];
  if (presence !== 'required') {
    decorators.push(ValidateIf((_, value) => !isAbsent(value)));
  }
  return applyDecorators(...decorators);
}

interface NestedOptions {
  type: () => new () => object;
}

/** An object with fields of its own; null means absent, or clears on an update. */
export function NestedField({ type }: NestedOptions): PropertyDecorator {
  return applyDecorators(
    Field({
      rule: (value) => (isObject(value) ? undefined : 'must be an object'),
      presence: 'nullable',
      schema: { type },
    }),
    ValidateNested(),
    Type(type),
  );
}

/** A list of such objects; null means absent, or clears on an update. */
export function NestedList({ type, max }: NestedOptions & { max: number }): PropertyDecorator {
  const rule: Rule = (value) => {
    if (!Array.isArray(value) || !value.every(isObject)) return 'must be an array of objects';
    return value.length > max ? `must hold at most ${max} items` : undefined;
  };
  return applyDecorators(
    Field({ rule, presence: 'nullable', schema: { type, isArray: true, maxItems: max } }),
    ValidateNested({ each: true }),
    Type(type),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
