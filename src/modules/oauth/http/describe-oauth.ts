import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, type ResponsesObject } from '@nestjs/swagger';
import { Describe } from '../../../platform/openapi/describe';
import { headersOf } from '../../../platform/openapi/headers';
import { OAuthErrorResponse } from './token.dto';

const oneOf = ['OAuthError', 'Error'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

const ERRORS: [status: number, code: string, description: string][] = [
  [400, 'invalid_grant', 'By RFC 6749 section 5.2; a request in JSON is answered with the API’s envelope.'],
  [401, 'invalid_client', 'The app is unknown, or its secret wrong.'],
  [429, 'temporarily_unavailable', 'Too many requests from this address in this minute.'],
  [500, 'server_error', 'Something went wrong on our side.'],
];

/** Errors have RFC 6749's format, or the API’s envelope for JSON requests. */
const errors: ResponsesObject = Object.fromEntries(
  ERRORS.map(([status, error, description]) => [
    status,
    {
      description,
      headers: headersOf(status),
      content: {
        'application/json': { schema: { oneOf }, example: { error, error_description: description } },
      },
    },
  ]),
);

interface OAuthOperation {
  operationId: string;
  summary: string;
  description: string;
  body: Type;
  request?: object;
  response: Type;
}

/** Documents an endpoint that accepts forms and JSON. */
export function DescribeOAuth({ body, ...operation }: OAuthOperation): MethodDecorator {
  return applyDecorators(
    Describe({ ...operation, errors }),
    ApiConsumes('application/x-www-form-urlencoded', 'application/json'),
    ApiBody({ type: body }),
    ApiExtraModels(OAuthErrorResponse),
  );
}
