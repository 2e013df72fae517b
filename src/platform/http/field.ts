import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { type Rule, rule } from './field-rules';

export interface FieldOptions {
  /** The values that the field takes. The rule of a list states `maxItems`; without it the service doesn't start. */
  readonly rule: Rule;
  /** `required`: absent and null are refused. `nullable`: null means absent, or clears on an update. */
  readonly presence: 'required' | 'nullable' | 'optional';
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
}

/** A field of a request: its validation and its entry in the API reference, both by one rule. */
export function Field({ rule, presence, ...documentation }: FieldOptions): PropertyDecorator {
  const isAbsent = (value: unknown): boolean =>
    value === undefined || (presence === 'nullable' && value === null);
  const problem = (value: unknown): string | undefined =>
    presence === 'required' && (value === undefined || value === null) ? 'is required' : rule(value);
  const decorators: PropertyDecorator[] = [
    requireMaxItems(rule.schema),
    ApiProperty({
      ...rule.schema,
      ...nestedType(rule),
      ...documentation,
      required: presence === 'required',
      ...(presence === 'nullable' && { nullable: true }),
    } as ApiPropertyOptions),
    ValidateBy({
      name: 'rule',
      constraints: [rule],
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

/** Nest resolves a class late, as one that contains itself needs it, only from a function with the name `type`. */
function nestedType({ nested, schema }: Rule): ApiPropertyOptions {
  return nested ? { type: () => nested(), isArray: schema.type === 'array' } : {};
}

/** Stops the start when a field takes a list of any length: a list has to be bounded before its items cost time. */
function requireMaxItems({ type, maxItems }: SchemaObject): PropertyDecorator {
  return (target, name) => {
    const isList = type === 'array' || Reflect.getMetadata('design:type', target, name) === Array;
    if (isList && maxItems === undefined) {
      throw new Error(
        `${target.constructor.name}.${String(name)} is a list: give its schema maxItems, the most items it takes.`,
      );
    }
  };
}

type Documentation = Omit<FieldOptions, 'presence'>;

/** Describes the fields of a resource once, for the bodies that clients send and the objects that they get. */
export function resourceFields<Name extends string>(fields: Record<Name, Documentation>) {
  return {
    field: (name: Name, presence: FieldOptions['presence'], more: Partial<Documentation> = {}) =>
      Field({ ...fields[name], presence, ...more }),
    shown: (name: Name, more: ApiPropertyOptions = {}) => {
      const { rule, ...documentation } = fields[name];
      return ApiProperty({ ...shownSchema(rule.schema), ...documentation, ...more });
    },
  };
}

/** Patterns tell what clients may write. Values are shown in one normal form. */
function shownSchema({ pattern: _, items, anyOf, ...schema }: SchemaObject): SchemaObject {
  return {
    ...schema,
    ...(items && { items: shownSchema(items as SchemaObject) }),
    ...(anyOf && { anyOf: anyOf.map((each) => shownSchema(each as SchemaObject)) }),
  };
}

const ANY_VALUE = rule({}, () => undefined);
const known = new WeakMap<object, Map<string, Rule>>();

/**
 * The rules of a DTO's fields by their names, inherited ones included. They are read from class-validator's metadata,
 * where `Field` leaves them, so that Nest's mapped types (`PartialType` and its like) keep them.
 */
export function rulesOf(dtoClass: new () => object): ReadonlyMap<string, Rule> {
  const earlier = known.get(dtoClass);
  if (earlier) return earlier;
  const rules = new Map<string, Rule>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(dtoClass, '', false, false)) {
    const [constraint] = (metadata.constraints as unknown[] | undefined) ?? [];
    if (isRule(constraint)) rules.set(metadata.propertyName, constraint);
    else if (!rules.has(metadata.propertyName)) rules.set(metadata.propertyName, ANY_VALUE);
  }
  known.set(dtoClass, rules);
  return rules;
}

function isRule(constraint: unknown): constraint is Rule {
  return typeof constraint === 'function' && 'schema' in constraint;
}
