import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import type { ResponsesObject } from '@nestjs/swagger';
import type { FieldProblem } from '../../kernel/errors';
import { listOf } from './common-responses';
import { ApiExtension, ApiOperation, ApiResponse, ApiTags } from './decorators';

/** Where an operation keeps its `Details` until the document is put together. */
export const DETAILS = 'x-details';
export const GROUP = 'gala:openapi-group';

/** What the document says of an operation beyond what every operation shares. */
export interface Details {
  /** The existing object that the path names: such as `lead`, with an id for the example. */
  object?: { name: string; id?: string };
  /** The one that the path names before it, which it belongs to. */
  within?: { name: string; id?: string };
  /** Why it may be a 403, when not for want of a scope. */
  forbidden?: string;
  /** A typical 422; without it the example is an unknown field. */
  invalid?: FieldProblem;
  /** The example body to send; put together from the examples of the fields when absent. */
  request?: object;
  /** Fields that the example answer has otherwise than the examples of its fields say. */
  answer?: object;
  /** What is created can’t be read by itself, and so has no `Location`. */
  isPartOfAnother?: boolean;
  /** Its answers have an ETag that `If-None-Match` is compared with, and are 304 when it is the same. */
  isConditional?: boolean;
  /** Every error, for routes that answer in terms of their own instead of the API’s. */
  errors?: ResponsesObject;
}

interface Operation extends Details {
  /** What generated clients call it, such as `listLeads`. */
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
  /** Of success; 200 when absent. */
  status?: 200 | 201;
}

interface OperationOnList extends Operation {
  item: Type;
  /** What the schema of the answer is called, such as `LeadList`. */
  list: string;
}

/** One operation's entry in the API reference. The errors that any operation may answer are added to it. */
export function Describe({ response, status = 200, ...operation }: OperationOnOne): MethodDecorator {
  const description = status === 201 ? 'Created.' : 'Success.';
  return applyDecorators(...entry(operation), ApiResponse({ status, description, type: response }));
}

interface OperationOnText extends Operation {
  mediaType: string;
  example: string;
}

/** The entry of an operation that answers something else than JSON. */
export function DescribeText({ mediaType, example, ...operation }: OperationOnText): MethodDecorator {
  const content = { [mediaType]: { schema: { type: 'string' as const }, example } };
  return applyDecorators(...entry(operation), ApiResponse({ status: 200, description: 'Success.', content }));
}

/** The entry of an operation that answers a page of a list. */
export function DescribeList({ item, list, ...operation }: OperationOnList): MethodDecorator {
  return applyDecorators(
    ...entry(operation),
    ApiResponse({ status: 200, description: 'A page of the list.', type: listOf(item, list) }),
  );
}

function entry({ operationId, summary, description, ...details }: Operation): MethodDecorator[] {
  return [ApiOperation({ operationId, summary, description }), ApiExtension(DETAILS, details)];
}
