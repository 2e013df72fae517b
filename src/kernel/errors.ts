/** One offending field of a request: `field` is a path such as `email` or `lineItems[0].quantity`. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The error codes of the API. Their HTTP statuses are known to the exception filter alone. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'validation_error'
  | 'rate_limit'
  | 'server_error';

/** An error whose message is shown to the client. The messages of all other errors stay internal. */
export abstract class PublicError extends Error {
  abstract readonly code: ErrorCode;
}

/** The request can't be understood: malformed JSON, wrong content type, too large a body. */
export class BadRequest extends PublicError {
  readonly code = 'bad_request';
}

export class Unauthorized extends PublicError {
  readonly code = 'unauthorized';

  /** @param credentialGiven false for a request without a credential: then RFC 6750 section 3.1 wants no error code */
  constructor(
    message: string,
    readonly credentialGiven: boolean,
  ) {
    super(message);
  }
}

export class Forbidden extends PublicError {
  readonly code = 'forbidden';

  /** @param requiredScope the scopes that the request requires, separated by spaces (RFC 6750 section 3) */
  constructor(
    message: string,
    readonly requiredScope?: string,
  ) {
    super(message);
  }
}

/** The same for an object that never existed and for one of another workspace or mode. */
export class NotFound extends PublicError {
  readonly code = 'not_found';

  constructor(what: string) {
    super(`No such ${what}.`);
  }
}

/** The content of the request is invalid, or the state of the object forbids it. */
export class ValidationFailed extends PublicError {
  readonly code = 'validation_error';
  readonly details: readonly FieldProblem[];

  constructor(first: FieldProblem, ...more: FieldProblem[]) {
    super(`${first.field}: ${first.message}`);
    this.details = [first, ...more];
  }
}

/** The problems of the `ValidationFailed` that `work` throws, if it does. */
export function problemsOf(work: () => unknown): readonly FieldProblem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details;
    throw error;
  }
}

/** The service has too much to do to handle the request. */
export class Overloaded extends PublicError {
  readonly code = 'server_error';
  readonly retryAfterSeconds = 1;

  constructor() {
    super('Too much is going on at the moment. Nothing was done: try again in a second.');
  }
}

export class RateLimited extends PublicError {
  readonly code = 'rate_limit';

  constructor(
    readonly retryAfterSeconds: number,
    message = `Too many requests. Try again in ${retryAfterSeconds} s.`,
  ) {
    super(message);
  }
}
