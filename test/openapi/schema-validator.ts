import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export type Document = any;

export interface Operation {
  path: string;
  method: string;
  operation: any;
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

export function resolve(document: Document, node: any): any {
  if (!node?.$ref) return node;
  return node.$ref
    .split('/')
    .slice(1)
    .reduce((parent: any, key: string) => parent[key], document);
}

/** Says what is wrong with a value by one of the document's schemas; nothing when all is well. */
export class SchemaValidator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new WeakMap<object, ValidateFunction>();

  /** `closed` also refuses fields that the document doesn't name, which clients have to bear but we shouldn't send. */
  constructor(document: Document, { closed = false } = {}) {
    addFormats(this.ajv);
    this.ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+[.][^\s@]+$/);
    const copy = structuredClone(document);
    if (closed) {
      for (const schema of Object.values<any>(copy.components.schemas)) {
        if (schema.properties) schema.additionalProperties = false;
      }
    }
    this.ajv.addSchema({ $id: 'gala', components: copy.components });
  }

  problems(schema: object, value: unknown): ErrorObject[] {
    let validate = this.compiled.get(schema);
    if (!validate) {
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"gala#/')) as object;
      validate = this.ajv.compile(rooted);
      this.compiled.set(schema, validate);
    }
    return validate(value) ? [] : validate.errors!;
  }
}
