import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiOperation,
  ApiResponse,
  ApiTags,
  type ContentObject,
  type ResponsesObject,
} from '@nestjs/swagger';
import type { FieldProblem } from '../../kernel/errors';
import { listOf } from './common-responses';

/** The extension that holds an operation's `Details` until the document is put together. */
export const DETAILS = 'x-details';
export const GROUP = 'gala:openapi-group';

/** The part of an operation's entry in the document that isn't the same for every operation. */
export interface Details {
  /** The object that the path names by its last id. */
  object?: NamedObject;
  /** The object that the path names before it, to which it belongs. */
  within?: NamedObject;
  /** The reason of a 403 other than a missing scope. */
  forbidden?: string;
  /** A typical 422; without it the example is an unknown field. */
  invalid?: FieldProblem;
  /** The example of the body; by default made of the examples of its fields. */
  request?: object;
  /** Fields whose value in the example response differs from the example of the field. */
  answer?: object;
  /**
   * The handler of a 201 sets `Location` itself. It is needed only where the created object isn't read below the route's own
   * path: there the pipeline sets it.
   */
  setsLocation?: boolean;
  /** Responses have an ETag, and are a 304 when `If-None-Match` has the same. */
  isConditional?: boolean;
  /** Every error, for routes that don’t use the API’s envelope. */
  errors?: ResponsesObject;
}

/** Such as a `PathId`. */
interface NamedObject {
  readonly name: string;
  readonly example?: string;
}

interface Operation extends Details {
  /** The name of its function in generated clients, such as `listLeads`. */
  operationId: string;
  summary: string;
  description?: string;
}

/** A group of operations in the API reference: usually a controller's. */
export interface Group {
  name: string;
  description: string;
}

export function DescribeGroup(group: Group): ClassDecorator {
  return applyDecorators(ApiTags(group.name), SetMetadata(GROUP, group));
}

interface OperationOnOne extends Operation {
  response: Type;
  /** The status of success; 200 by default. */
  status?: 200 | 201;
}

interface OperationOnList extends Operation {
  item: Type;
  /** The name of the schema of the response, such as `LeadList`. */
  list: string;
}

/** The entry of an operation in the API reference. The errors that every operation may return are added to it. */
export function Describe({ response, status = 200, ...operation }: OperationOnOne): MethodDecorator {
  const description = status === 201 ? 'Created.' : 'Success.';
  return applyDecorators(...entry(operation), ApiResponse({ status, description, type: response }));
}

interface OperationOnText extends Operation {
  /** By media type. */
  examples: Record<string, string>;
}

/** The entry of an operation whose response isn't JSON. */
export function DescribeText({ examples, ...operation }: OperationOnText): MethodDecorator {
  const contents = Object.entries(examples).map(([mediaType, example]) => [
    mediaType,
    { schema: { type: 'string' as const }, example },
  ]);
  const content = Object.fromEntries(contents) as ContentObject;
  return applyDecorators(...entry(operation), ApiResponse({ status: 200, description: 'Success.', content }));
}

/** The entry of an operation that returns a page of a list. */
export function DescribeList({ item, list, ...operation }: OperationOnList): MethodDecorator {
  return applyDecorators(
    ...entry(operation),
    ApiResponse({ status: 200, description: 'A page of the list.', type: listOf(item, list) }),
  );
}

function entry({ operationId, summary, description, ...details }: Operation): MethodDecorator[] {
  return [ApiOperation({ operationId, summary, description }), ApiExtension(DETAILS, details)];
}
