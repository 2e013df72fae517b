import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorResponse, PaginationResponse } from './common-responses';

const ERRORS: Record<number, string> = {
  400: 'The request can’t be understood: malformed JSON, wrong content type, too large a body.',
  401: 'The API key is missing, unknown, revoked or expired.',
  403: 'The credential lacks permission.',
  404: 'There is no such object in this workspace and mode.',
  422: 'Refused for the request’s content or the object’s state. `field` names the first offender, `details` all.',
  429: 'Too many requests in this minute. `Retry-After` says when to come back.',
  500: 'Something went wrong on our side.',
};

interface Operation {
  summary: string;
  description?: string;
  /** Of success; 200 when absent. */
  status?: number;
  /** Beside 401, 429 and 500, which every operation may answer. */
  errors: number[];
}

/** One operation's entry in the API reference. */
export function Describe({ response, ...operation }: Operation & { response: Type }): MethodDecorator {
  return applyDecorators(
    ...common(operation),
    ApiResponse({
      status: operation.status ?? 200,
      description: 'Success.',
      type: response,
      ...(operation.status === 201 && {
        headers: { Location: { description: 'The path of the new object.', schema: { type: 'string' } } },
      }),
    }),
  );
}

/** An operation that answers a page of a list. */
export function DescribeList({ item, ...operation }: Operation & { item: Type }): MethodDecorator {
  return applyDecorators(
    ...common(operation),
    ApiExtraModels(item, PaginationResponse),
    ApiResponse({
      status: 200,
      description: 'A page of the list.',
      schema: {
        type: 'object',
        required: ['data', 'pagination'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(item) } },
          pagination: { $ref: getSchemaPath(PaginationResponse) },
        },
      },
    }),
  );
}

function common({ summary, description, errors }: Operation): MethodDecorator[] {
  return [
    ApiOperation({ summary, ...(description && { description }) }) as MethodDecorator,
    ...[...errors, 401, 429, 500].map(
      (status) =>
        ApiResponse({ status, description: ERRORS[status], type: ErrorResponse }) as MethodDecorator,
    ),
  ];
}

/** The `:id` in a route's path. */
export function IdParam(example: string): MethodDecorator & ClassDecorator {
  return ApiParam({ name: 'id', schema: { type: 'string' }, example });
}
