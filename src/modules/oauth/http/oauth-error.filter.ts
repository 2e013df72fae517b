import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BadRequest, type PublicError, RateLimited, Unauthorized } from '../../../kernel/errors';
import { errorEnvelope, logIfInternal, STATUS, toPublicError } from '../../../platform/http/error.filter';
import { isForm } from '../../../platform/http/request-input';
import { Logger } from '../../../platform/logging/logger';
import { OAuthError } from '../domain/oauth-error';

/**
 * Writes errors in the format of RFC 6749 section 5.2, which standard clients need. JSON requests get the envelope of
 * specification section 7, with OAuth's code in `error.reason`.
 */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const error = asPublicError(thrown);
    logIfInternal(this.logger, request, error, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const code = thrown instanceof OAuthError ? thrown.code : CODES[error.code];
    // A 401 needs a challenge that names the scheme of the token endpoint.
    if (error instanceof Unauthorized) response.setHeader('WWW-Authenticate', 'Basic realm="gala"');
    if (error instanceof RateLimited) response.setHeader('Retry-After', error.retryAfterSeconds);
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).status(STATUS[error.code]);
    if (takesJson(request)) response.json(withReason(errorEnvelope(error, request.id), code));
    else response.json({ error: code, error_description: error.message });
  }
}

const CODES: Record<PublicError['code'], string> = {
  bad_request: 'invalid_request',
  unauthorized: 'invalid_client',
  forbidden: 'access_denied',
  not_found: 'invalid_request',
  validation_error: 'invalid_request',
  rate_limit: 'temporarily_unavailable',
  server_error: 'server_error',
};

function asPublicError(thrown: unknown): PublicError {
  if (!(thrown instanceof OAuthError)) return toPublicError(thrown);
  return thrown.code === 'invalid_client'
    ? new Unauthorized(thrown.message, true)
    : new BadRequest(thrown.message);
}

function takesJson(request: Request): boolean {
  return !isForm(request) && /\bjson\b/i.test(request.headers['content-type'] ?? '');
}

function withReason(envelope: object, reason: string): object {
  const { error } = envelope as { error: object };
  return { error: { ...error, reason } };
}
