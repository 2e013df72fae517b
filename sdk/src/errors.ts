import type { components } from './schema.js';

type ErrorBody = components['schemas']['ErrorBody'];
export type FieldProblem = components['schemas']['FieldProblem'];

/** No answer arrived, or none from Gala: a network error, a timeout, or a URL that redirects. See `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** An answer with a status of 400 or more. */
export class GalaError extends Error {
  /** The `error.code` of the answer. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** On a 422: the first invalid field. */
  readonly field: string | undefined;
  /** On a 422: every invalid field. */
  readonly details: readonly FieldProblem[];
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** `Retry-After` in seconds, if the answer has it. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.message ?? `The server answered ${response.status} without saying why.`);
    this.name = new.target.name;
    this.code = body.code ?? 'server_error';
    this.status = response.status;
    this.field = body.field;
    this.details = body.details ?? [];
    this.requestId = body.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterSeconds(response);
  }
}

export class BadRequestError extends GalaError {}
export class UnauthorizedError extends GalaError {}
export class ForbiddenError extends GalaError {}
export class NotFoundError extends GalaError {}
export class ValidationError extends GalaError {}
export class RateLimitError extends GalaError {}
export class ServerError extends GalaError {}

const CLASSES: Record<number, typeof GalaError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
};

/** @param body the parsed body: Gala's error envelope, or a proxy's answer */
export function errorFrom(response: Response, body: unknown): GalaError {
  const ErrorClass = CLASSES[response.status] ?? (response.status >= 500 ? ServerError : GalaError);
  return new ErrorClass(response, isEnvelope(body) ? body.error : {});
}

function isEnvelope(body: unknown): body is { error: Partial<ErrorBody> } {
  return typeof (body as { error?: { code?: unknown } } | null)?.error?.code === 'string';
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
