import type { OpenAPIObject, OperationObject, ParameterObject, ReferenceObject } from '@nestjs/swagger';

type Described = { description?: string };
type KeyValue = Described & { key: string; value: string; disabled?: true };
type Auth = { type: 'noauth' } | { type: 'bearer'; bearer: { key: string; value: string; type: 'string' }[] };

interface CollectionRequest extends Described {
  name: string;
  request: Described & {
    method: string;
    auth?: Auth;
    url: { raw: string; host: string[]; path: string[]; query?: KeyValue[]; variable?: KeyValue[] };
    header: KeyValue[];
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
  };
}

/** Postman’s collection format 2.1, which Bruno, Insomnia and Hoppscotch read as well. */
export interface Collection {
  info: { name: string; description: string; version: string; schema: string };
  auth: Auth;
  event: [{ listen: 'test'; script: { type: 'text/javascript'; exec: string[] } }];
  variable: KeyValue[];
  item: (Described & { name: string; item: CollectionRequest[] })[];
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** `lead_01h4…`, and so on: what stands for objects that there may be. */
const EXAMPLE_ID = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** Runs after each request: later ones act on what was created last. */
const KEEP_CREATED_ID = [
  'if (pm.response.code === 201) {',
  '  const { id } = pm.response.json();',
  "  pm.collectionVariables.set(id.split('_')[0] + 'Id', id);",
  '}',
];

/**
 * Every operation of the document as a request that can be sent: with the example as its body, and the values of
 * `baseUrl` and `apiKey` filled in by the program that reads it. What may be left out is there, but switched off. Run
 * from beginning to end, requests act on what those before them created.
 */
export function collectionOf(document: OpenAPIObject): Collection {
  const baseUrl = document.servers![0]!.url;
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
      folder: operation.tags![0]!,
      turn: turnOf(method, path, operation),
      request: requestOf(document, method, path, operation),
    })),
  );
  const ids = JSON.stringify(document.paths).match(EXAMPLE_ID) ?? [];
  const examples = new Map(ids.map((id) => [variableOf(id), id]));
  return {
    info: {
      name: document.info.title,
      description: document.info.description!,
      version: document.info.version,
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_CREATED_ID } }],
    variable: [
      { key: 'baseUrl', value: baseUrl, description: 'Where the service is reached.' },
      { key: 'apiKey', value: '', description: 'A test key (gala_test_…) works on the sandbox alone.' },
      ...[...examples].map(([key, value]) => ({ key, value, description: 'Set by what creates one.' })),
    ],
    item: document.tags!.map(({ name, description }) => ({
      name,
      ...(description && { description }),
      item: requests
        .filter(({ folder }) => folder === name)
        .sort((one, other) => one.turn - other.turn)
        .map(({ request }) => request),
    })),
  };
}

/** What creates comes first, what takes away last, and what undoes that after it. */
function turnOf(method: string, path: string, { responses }: OperationObject): number {
  if ('201' in responses) return 0;
  if (path.endsWith('/restore')) return 3;
  return method === 'delete' ? 2 : 1;
}

function variableOf(id: string): string {
  return `${id.split('_')[0]}Id`;
}

function withVariables(text: string): string {
  return text.replace(EXAMPLE_ID, (id) => `{{${variableOf(id)}}}`);
}

function requestOf(
  document: OpenAPIObject,
  method: string,
  path: string,
  operation: OperationObject,
): CollectionRequest {
  const parameters = (operation.parameters ?? []).map((each) => resolved(document, each));
  const valuesIn = (place: string) =>
    parameters.filter((parameter) => parameter.in === place).map((each) => keyValueOf(each));
  const query = valuesIn('query');
  const variable = valuesIn('path');
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  const sent = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const body = bodyOf(operation);
  return {
    name: operation.summary ?? operation.operationId!,
    request: {
      method: method.toUpperCase(),
      ...(operation.description && { description: operation.description }),
      ...(!operation.security?.length && { auth: { type: 'noauth' } }),
      url: {
        raw: `{{baseUrl}}/${segments}${sent.length ? `?${sent.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: segments.split('/'),
        ...(query.length && { query }),
        ...(variable.length && { variable }),
      },
      header: [...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...valuesIn('header')],
      ...(body && { body }),
    },
  };
}

function resolved(document: OpenAPIObject, parameter: ParameterObject | ReferenceObject): ParameterObject {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1);
  return document.components!.parameters![name] as ParameterObject;
}

function keyValueOf({ name, description, required, example, schema }: ParameterObject): KeyValue {
  const known = schema && !('$ref' in schema) ? schema : {};
  const { examples, enum: choices } = known as { examples?: unknown[]; enum?: unknown[] };
  const value: unknown = example ?? examples?.[0] ?? known.default ?? choices?.[0] ?? '';
  return {
    key: name,
    value: withVariables(String(value)),
    description,
    ...(!required && { disabled: true }),
  };
}

function bodyOf(operation: OperationObject): CollectionRequest['request']['body'] {
  if (!operation.requestBody || '$ref' in operation.requestBody) return undefined;
  const example: unknown = operation.requestBody.content['application/json']?.example ?? {};
  return {
    mode: 'raw',
    raw: withVariables(JSON.stringify(example, null, 2)),
    options: { raw: { language: 'json' } },
  };
}
