import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BadRequest,
  type ErrorCode,
  Forbidden,
  NotFound,
  Overloaded,
  PublicError,
  RateLimited,
  Unauthorized,
  ValidationFailed,
} from '../../kernel/errors';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';

export const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  validation_error: 422,
  rate_limit: 429,
  server_error: 500,
};

/** Hides whatever went wrong inside; the log has it, under the request's id. */
class ServerError extends PublicError {
  readonly code = 'server_error';
}

/** Turns whatever was thrown into the envelope of specification section 7. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const error = toPublicError(thrown);
    logIfInternal(this.logger, request, error, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    setErrorHeaders(response, error);
    response.status(STATUS[error.code]).json(errorEnvelope(error, request.id));
  }
}

export function errorEnvelope(error: PublicError, requestId: string): object {
  const details = error instanceof ValidationFailed ? error.details : undefined;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(details && { field: details[0]!.field }),
      status: STATUS[error.code],
      requestId,
      ...(details && { details }),
    },
  };
}

/** What the caller isn't told goes to the log, under the request's id. */
export function logIfInternal(logger: Logger, request: Request, error: PublicError, thrown: unknown): void {
  if (error.code !== 'server_error' || error instanceof Overloaded) return;
  logger.error({ requestId: request.id, ...describeError(thrown) }, 'request failed');
}

export function toPublicError(thrown: unknown): PublicError {
  if (thrown instanceof PublicError) return thrown;
  if (thrown instanceof HttpException) {
    // Only the framework throws these, for what no route of ours has seen.
    const status = thrown.getStatus();
    if (status === 404) return new NotFound('resource');
    if (status < 500) return new BadRequest('The request could not be understood.');
  }
  return new ServerError(
    'Something went wrong on our side. Try again, and quote the request id if it persists.',
  );
}

/** Challenges by RFC 6750 section 3, and when to come back. */
function setErrorHeaders(response: Response, error: PublicError): void {
  if (error instanceof Unauthorized) {
    const reason = error.credentialGiven ? ', error="invalid_token"' : '';
    response.setHeader('WWW-Authenticate', `Bearer realm="gala"${reason}`);
  } else if (error instanceof Forbidden) {
    const scope = error.requiredScope ? `, scope="${error.requiredScope}"` : '';
    response.setHeader('WWW-Authenticate', `Bearer realm="gala", error="insufficient_scope"${scope}`);
  } else if (error instanceof RateLimited || error instanceof Overloaded) {
    response.setHeader('Retry-After', error.retryAfterSeconds);
  }
}
