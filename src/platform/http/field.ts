import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { ValidationArguments } from 'class-validator';
import { ApiProperty } from '../openapi/decorators';
import { ValidateBy, ValidateIf } from './class-validator';
import { FieldShape, isObject, isObjectList } from './field-shape';
import type { Rule } from './field-rules';

export interface FieldOptions {
  rule: Rule;
  /**
   * The field's JSON Schema for the API reference. A list needs `maxItems` in it, which is checked before any item is
   * looked at; without it the service doesn't start.
   */
  schema: ApiPropertyOptions;
  /** `required`: absent and null are refused. `nullable`: null means absent, or clears on an update. */
  presence: 'required' | 'nullable' | 'optional';
}

/** One field of a request: its validation and its place in the API reference. */
export function Field(options: FieldOptions): PropertyDecorator {
  return describeField(options, new FieldShape(maxItemsOf(options)));
}

function describeField({ rule, schema, presence }: FieldOptions, shape: FieldShape): PropertyDecorator {
  const isAbsent = (value: unknown): boolean =>
    value === undefined || (presence === 'nullable' && value === null);
  const problem: Rule = (value) => {
    if (presence === 'required' && (value === undefined || value === null)) return 'is required';
    return rule(value);
  };
  const decorators: PropertyDecorator[] = [
    requireMaxItems(schema, shape),
    ApiProperty({
      ...schema,
      ...rule.schema,
      required: presence === 'required',
      ...(presence === 'nullable' && { nullable: true }),
    } as ApiPropertyOptions),
    ValidateBy({
      name: 'rule',
      constraints: [shape],
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
export function NestedField({
  type,
  description,
}: NestedOptions & { description?: string }): PropertyDecorator {
  return describeField(
    {
      rule: (value) => (isObject(value) ? undefined : 'must be an object'),
      presence: 'nullable',
      schema: { type, ...(description && { description }) },
    },
    new FieldShape(undefined, type),
  );
}

/** A list of at most `max` such objects; null means absent, or clears on an update. */
export function NestedList({ type, max }: NestedOptions & { max: number }): PropertyDecorator {
  return describeField(
    {
      rule: (value) => (isObjectList(value) ? undefined : 'must be an array of objects'),
      presence: 'nullable',
      schema: { type, isArray: true, maxItems: max },
    },
    new FieldShape(max, type),
  );
}

function maxItemsOf({ rule, schema }: FieldOptions): number | undefined {
  return ({ ...schema, ...rule.schema } as { maxItems?: number }).maxItems;
}

/** Stops the start when a field takes a list of any length: a list has to be bounded before its items cost time. */
function requireMaxItems(schema: ApiPropertyOptions, { maxItems }: FieldShape): PropertyDecorator {
  const { type, isArray } = schema as { type?: unknown; isArray?: unknown };
  return (target, name) => {
    const isList =
      type === 'array' ||
      Array.isArray(type) ||
      Boolean(isArray) ||
      Reflect.getMetadata('design:type', target, name) === Array;
    if (isList && maxItems === undefined) {
      throw new Error(
        `${target.constructor.name}.${String(name)} is a list: give its schema maxItems, the most items it takes.`,
      );
    }
  };
}
