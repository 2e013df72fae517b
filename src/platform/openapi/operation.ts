import type {
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  SecurityRequirementObject,
} from '@nestjs/swagger';
import { type Access, needsCredential } from '../access/access.decorators';
import type { Route } from '../http/route-table';
import { DETAILS, type Details } from './describe';
import { SUNSET } from './deprecated';
import { errorsOf } from './errors';
import { headersOf } from './headers';
import { IF_NONE_MATCH, requestHeadersOf, takesIdempotencyKey } from './request-headers';
import { closeObjects, exampleOf, modernizeExamples, type Schema, type Schemas } from './schemas';

/** An operation as Nest writes it: only schemas are references yet. */
type Written = OperationObject & {
  [DETAILS]?: Details;
  parameters?: ParameterObject[];
  requestBody?: RequestBodyObject;
  responses: Record<string, ResponseObject>;
};

interface Surroundings {
  /** Descriptions by scope. */
  scopes: Map<string, string>;
  schemas: Schemas;
  /** Whether a created object can be read below the operation's path. */
  createsReadable: boolean;
}

const REPRESENTATION_ETAG = {
  required: true,
  description: 'Which state this is, for `If-None-Match`.',
  schema: { type: 'string' as const },
  example: IF_NONE_MATCH.example as string,
};

/** Adds access, errors and headers, which the pipeline sees to, and examples to the operation that Nest wrote. */
export function completeOperation(
  operation: OperationObject,
  route: Route,
  { scopes, schemas, createsReadable }: Surroundings,
): OperationObject {
  const { access, needsBody, takesFormOrJson } = route;
  const { tags, operationId, summary, description, parameters, requestBody, responses, ...others } =
    operation as Written;
  const { [DETAILS]: details = {}, ...rest } = others;
  const { object, request, answer } = details;
  if (requestBody) {
    requestBody.required = needsBody || takesFormOrJson;
    for (const media of Object.values(requestBody.content)) {
      if (media.schema && !takesFormOrJson) closeObjects(media.schema, schemas);
      if (!isBinary(media.schema)) media.example ??= request ?? exampleOf(media.schema, schemas);
    }
  }
  const successes: typeof responses = {};
  for (const [status, { description, headers, content, ...response }] of Object.entries(responses)) {
    for (const media of Object.values(content ?? {})) {
      const example = exampleOf(media.schema, schemas);
      media.example ??= answer ? { ...(example as object), ...answer } : example;
    }
    const isSingleObject = Object.values(content ?? {}).some(
      ({ example }: { example?: unknown }) =>
        typeof example === 'object' && example !== null && ('id' in example || 'key' in example),
    );
    const isLocated = details.setsLocation ?? (createsReadable && isSingleObject);
    const more = [
      ...(status === '201' && isLocated ? ['Location'] : []),
      ...(isSingleObject ? ['ETag'] : []),
      ...(takesIdempotencyKey(route) ? ['Idempotency-Replayed'] : []),
    ];
    successes[status] = {
      description,
      headers: { ...headersOf(Number(status), more), ...headers },
      ...(content && { content }),
      ...response,
    };
  }
  if (details.isConditional) {
    const headers = { ETag: REPRESENTATION_ETAG, ...headersOf(304) };
    Object.assign(successes['200']!.headers!, { ETag: REPRESENTATION_ETAG });
    successes['304'] = { description: 'Nothing has changed since the answer with that ETag.', headers };
  }
  for (const parameter of parameters ?? []) {
    if (parameter.schema) modernizeExamples(parameter.schema);
  }
  const written: ParameterObject[] = parameters ?? [];
  const inPath = written.filter((parameter) => parameter.in === 'path');
  for (const parameter of inPath) {
    const named = parameter === inPath.at(-1) ? object : details.within;
    if (!named || parameter.description) continue;
    Object.assign(parameter, { description: `Which ${named.name}.`, example: named.example });
  }
  const allParameters = [
    ...(parameters ?? []),
    ...(details.isConditional ? [IF_NONE_MATCH] : []),
    ...requestHeadersOf(route),
  ];
  return {
    tags,
    operationId,
    summary,
    description: [description, scopeInWords(access, scopes)].filter(Boolean).join('\n\n'),
    ...rest,
    ...(SUNSET in rest && { deprecated: true }),
    ...{ 'x-required-scope': access.kind === 'scope' ? access.scopes.join(' ') : null },
    security: securityOf(access),
    ...(allParameters.length > 0 && { parameters: allParameters }),
    ...(requestBody && { requestBody }),
    responses: { ...errorsOf(access, details), ...successes },
  };
}

function isBinary(schema: Schema | undefined): boolean {
  return schema !== undefined && 'format' in schema && schema.format === 'binary';
}

/** Alternatives: any bearer token, or more precisely the token of an app with the scope. */
function securityOf(access: Access): SecurityRequirementObject[] {
  if (!needsCredential(access)) return [];
  return [{ bearer: [] }, ...(access.kind === 'scope' ? [{ oauth2: [...access.scopes] }] : [])];
}

function scopeInWords(access: Access, scopes: Map<string, string>): string {
  if (!needsCredential(access)) return 'Needs no API key.';
  if (access.kind === 'credential') return 'Required scope: none, any valid credential will do.';
  const required = access.scopes.map((scope) => `\`${scope}\` (${scopes.get(scope)})`);
  return `Required ${required.length === 1 ? 'scope' : 'scopes'}: ${required.join(' and ')}.`;
}
