import {
  BadRequest,
  Forbidden,
  NotFound,
  PublicError,
  RateLimited,
  Unauthorized,
  ValidationFailed,
} from '../../kernel/errors';
import { type Access, needsCredential } from '../access/access.decorators';
import { missingScopes } from '../access/scope.guard';
import { errorEnvelope } from '../http/error.filter';
import { unknownField } from '../http/input-problems';
import type { Details } from './describe';
import { headersOf } from './headers';
import type { ResponseObject, ResponsesObject } from '@nestjs/swagger';

const EXAMPLE_REQUEST_ID = '0b5e3d1c-8f5a-4f7e-9a43-7a4d5c9c4a11';

class ServerError extends PublicError {
  readonly code = 'server_error';
}

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request can’t be understood: malformed JSON, wrong content type, too large a body.',
  401: 'The credential is missing, unknown, revoked or expired.',
  403: 'The credential lacks permission.',
  404: 'There is no such object in this workspace and mode.',
  422: 'Refused for the request’s content or the object’s state. `field` names the first offender, `details` all.',
  429: 'Too many requests in this minute. `Retry-After` says when to come back.',
  500: 'Something went wrong on our side.',
};

/** Errors that any request may get, described once and referenced by every operation. */
export const commonErrors: Record<string, ResponseObject> = {
  BadRequest: errorResponse(400, new BadRequest('The body is not valid JSON.')),
  Unauthorized: errorResponse(401, new Unauthorized('This credential was revoked or has expired.', true)),
  ValidationFailed: errorResponse(422, new ValidationFailed(unknownField('colour'))),
  RateLimited: errorResponse(429, new RateLimited(23)),
  ServerError: errorResponse(500, new ServerError('Something went wrong on our side.')),
};

/** Every error of one operation. Errors with a message of its own are written out. */
export function errorsOf(access: Access, { object, forbidden, invalid, errors }: Details): ResponsesObject {
  if (errors) return errors;
  const refusal = access.kind === 'scope' ? missingScopes(access.scopes) : forbidden;
  return {
    400: reference('BadRequest'),
    ...(needsCredential(access) && { 401: reference('Unauthorized') }),
    ...(refusal && { 403: errorResponse(403, new Forbidden(refusal)) }),
    ...(object && { 404: errorResponse(404, new NotFound(object.name)) }),
    422: invalid ? errorResponse(422, new ValidationFailed(invalid)) : reference('ValidationFailed'),
    429: reference('RateLimited'),
    500: reference('ServerError'),
  };
}

function errorResponse(status: number, error: PublicError): ResponseObject {
  return {
    description: DESCRIPTIONS[status]!,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: errorEnvelope(error, EXAMPLE_REQUEST_ID),
      },
    },
  };
}

function reference(name: string) {
  return { $ref: `#/components/responses/${name}` };
}
