import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;
export type Schemas = Record<string, Schema>;

export function resolve(schema: Schema, schemas: Schemas): SchemaObject {
  if (!('$ref' in schema)) return schema;
  return resolve(schemas[schema.$ref.split('/').at(-1)!]!, schemas);
}

/** Closes a body and every object within it to unknown fields, as the service does. */
export function closeObjects(schema: Schema, schemas: Schemas): void {
  const resolved = resolve(schema, schemas);
  const { properties } = resolved;
  if (properties) {
    // Already closed: a schema may contain itself.
    if (resolved.additionalProperties === false) return;
    resolved.additionalProperties ??= false;
  }
  // Beside properties, combinators only add conditions on them.
  const parts = properties ? Object.values(properties) : partsOf(resolved);
  for (const part of parts) closeObjects(part, schemas);
}

const MAX_EXAMPLE_DEPTH = 8;

/** An example made of the examples of the fields. */
export function exampleOf(schema: Schema | undefined, schemas: Schemas, depth = 0): unknown {
  if (!schema || depth > MAX_EXAMPLE_DEPTH) return null;
  const resolved = resolve(schema, schemas);
  const inner = (part: Schema): unknown => exampleOf(part, schemas, depth + 1);
  if (Array.isArray(resolved.examples)) return resolved.examples[0] as unknown;
  if (resolved.properties) {
    return Object.fromEntries(
      Object.entries(resolved.properties).map(([name, field]) => [name, inner(field)]),
    );
  }
  if (resolved.items) return [inner(resolved.items)];
  const [firstPart] = [resolved.allOf, resolved.anyOf, resolved.oneOf].flatMap((parts) => parts ?? []);
  return firstPart ? inner(firstPart) : (resolved.default ?? resolved.enum?.[0] ?? null);
}

/** Replaces `example` by `examples`, as in JSON Schema 2020-12 and so in OpenAPI 3.1. */
export function modernizeExamples(schema: Schema): void {
  if ('$ref' in schema) return;
  if ('example' in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  partsOf(schema).forEach(modernizeExamples);
}

function partsOf({ properties, items, additionalProperties, allOf, anyOf, oneOf }: SchemaObject): Schema[] {
  return [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[allOf, anyOf, oneOf].flatMap((parts) => parts ?? []),
  ];
}
