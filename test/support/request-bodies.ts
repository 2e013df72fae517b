/** What a JSON body may hold at most. */
export const MAX_BODY_BYTES = 256 * 1024;
const LONGEST = '😀';

type Json = any;

/** An operation of the API reference that takes a JSON body, and what its schema says of that. */
export interface BodyOperation {
  name: string;
  method: string;
  path: string;
  schema: Json;
}

/** Reads the schemas of an OpenAPI document, references resolved. */
export class RequestSchemas {
  constructor(
    private readonly document: Json,
    /** Ids of what there is, by their prefixes: they stand for the examples of the document. */
    private readonly ids: Record<string, string>,
  ) {}

  operations(): { name: string; method: string; path: string; operation: Json }[] {
    return Object.entries<Json>(this.document.paths).flatMap(([template, item]) =>
      Object.entries<Json>(item)
        .filter(([, operation]) => operation.operationId)
        .map(([method, operation]) => {
          const path = this.withIds(this.filled(template, operation));
          return {
            name: `${method.toUpperCase()} ${template}`,
            method: method.toUpperCase(),
            path,
            operation,
          };
        }),
    );
  }

  bodyOperations(): BodyOperation[] {
    return this.operations().flatMap(({ operation, ...rest }) => {
      const schema = this.resolve(operation.requestBody)?.content?.['application/json']?.schema;
      return schema ? [{ ...rest, schema: this.resolve(schema) }] : [];
    });
  }

  parametersOf(operation: Json): Json[] {
    return (operation.parameters ?? []).map((each: Json) => this.resolve(each));
  }

  resolve(schema: Json): Json {
    if (schema?.$ref) {
      const parts = (schema.$ref as string).slice(2).split('/');
      return this.resolve(parts.reduce((found, part) => found[part], this.document));
    }
    const alternatives = schema?.oneOf ?? schema?.anyOf;
    if (alternatives && schema.properties) return withLastAlternative(schema, alternatives);
    if (alternatives) return this.resolve(alternatives.find((each: Json) => each.type !== 'null'));
    return schema?.allOf?.length === 1 ? { ...schema, ...this.resolve(schema.allOf[0]) } : schema;
  }

  /** The largest body that keeps the schema: texts of four-byte characters, and lists as full as fits. */
  largest(schema: Json): string {
    for (let share = 1; share > 0.01; share *= 0.9) {
      const body = JSON.stringify(this.value(schema, share));
      if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return this.withIds(body);
    }
    throw new Error('No body of that schema is small enough.');
  }

  /** A usual value. */
  example(schema: Json): Json {
    return JSON.parse(this.withIds(JSON.stringify(this.value(schema, 0))));
  }

  /** Every field of an object with its schema, and of those within it, by a path such as `lineItems[].quantity`. */
  fields(schema: Json, path: string[] = []): { path: string[]; schema: Json }[] {
    return Object.entries<Json>(this.resolve(schema).properties ?? {}).flatMap(([name, given]) => {
      const field = this.resolve(given);
      const own = [...path, name];
      const inner = isList(field) ? this.resolve(field.items) : field;
      return [{ path: own, schema: field }, ...this.fields(inner, isList(field) ? [...own, '0'] : own)];
    });
  }

  private value(given: Json, share: number, index = 0): Json {
    const schema = this.resolve(given);
    if (schema.properties) {
      const entries = Object.entries<Json>(schema.properties).filter(
        ([name]) => !isAlternative(name, schema),
      );
      return Object.fromEntries(entries.map(([name, field]) => [name, this.value(field, share, index)]));
    }
    if (isList(schema)) {
      const count = Math.max(1, Math.floor(share * (schema.maxItems ?? 1)));
      const examples = (exampleOf(schema) ?? []) as Json[];
      return Array.from({ length: count }, (_, item) =>
        schema.items.maxLength || !examples.length
          ? this.value(schema.items, share, item % 50)
          : examples[item % examples.length],
      );
    }
    return share > 0 && isFreeText(schema) ? longest(schema.maxLength, index) : exampleOf(schema);
  }

  private filled(template: string, operation: Json): string {
    const parameters = this.parametersOf(operation);
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
      return parameter.example ?? exampleOf(parameter.schema);
    });
  }

  private withIds(text: string): string {
    return text.replace(/\b([a-z]+)_[0-9a-z]{26}\b/g, (id, prefix: string) => this.ids[prefix] ?? id);
  }
}

/** Values that fill a body for themselves, of the kinds that are costly to read, to convert or to compare. */
export const HOSTILE_VALUES: Record<string, (bytes: number) => string> = {
  ...Object.fromEntries(
    [' ', '+1 ', 'a.', '😀', '2027-01-01', 'https://'].map((piece) => [
      `the text ${JSON.stringify(piece)}`,
      textOf(piece),
    ]),
  ),
  'a text of escapes': (bytes) => `"${'\\u0000'.repeat(bytes / 6 - 1)}"`,
  ...Object.fromEntries(
    ['{}', '[]', '"\\u0000"', '{"":0}', '0'].map((item) => [
      `a list of ${item}`,
      (bytes: number) => `[${`${item},`.repeat(bytes / (item.length + 1) - 2)}${item}]`,
    ]),
  ),
  'an object of many keys': (bytes) => `{${keys(bytes)}}`,
  'a deep list': (bytes) => '['.repeat(bytes / 2 - 1) + ']'.repeat(bytes / 2 - 1),
  'a deep object': (bytes) => `${'{"a":'.repeat(bytes / 6 - 1)}1${'}'.repeat(bytes / 6 - 1)}`,
};

/** Members of an object, about as many as fit. */
export function keys(bytes: number): string {
  return Array.from({ length: bytes / 12 }, (_, index) => `"k${index}":0`)
    .join(',')
    .slice(0, bytes)
    .replace(/,[^,]*$/, '');
}

function textOf(piece: string): (bytes: number) => string {
  return (bytes) => JSON.stringify(piece.repeat(bytes / Buffer.byteLength(piece) - 1));
}

/** What OpenAPI 3.1 writes as a list, of which the first is meant; an allowed value where none is given. */
function exampleOf({ example, examples, enum: values }: Json): Json {
  return example ?? examples?.[0] ?? values?.[0];
}

function isList(schema: Json): boolean {
  return schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
}

/** The pattern of texts that mustn't be blank. */
const NOT_BLANK = '\\S';

function isFreeText({ maxLength, format, pattern = NOT_BLANK, enum: values }: Json): boolean {
  return maxLength !== undefined && !format && pattern === NOT_BLANK && !values;
}

/** A text of that many code points, another one for each index. */
function longest(length: number, index: number): string {
  const mark = String(index);
  return mark + LONGEST.repeat(length - mark.length);
}

/** Fields of which another one is in the body already. */
function isAlternative(name: string, { properties }: Json): boolean {
  return (name === 'spaceId' && properties.spaceIds) || (name === 'dueAt' && properties.dueOn);
}

/** Of fields that exclude each other, those that the last alternative wants. */
function withLastAlternative({ oneOf: _, anyOf: __, ...schema }: Json, alternatives: Json[]): Json {
  const [last, ...others] = alternatives.toReversed();
  const excluded = others
    .flatMap(({ required = [] }) => required)
    .filter((name) => !last.required?.includes(name));
  const properties = Object.entries(schema.properties).filter(([name]) => !excluded.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}
