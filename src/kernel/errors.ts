/** One offending field of a request: `field` is a path such as `email` or `lineItems[0].quantity`. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The machine-readable codes of the API; their HTTP statuses are the exception filter's business. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'validation_error'
  | 'rate_limit'
  | 'server_error';

/** An error whose message may be shown to the caller as it stands. Anything else that is thrown stays internal. */
export abstract class PublicError extends Error {
  abstract readonly code: ErrorCode;
}

/** The request can't be understood: malformed JSON, wrong content type, too large a body. */
export class BadRequest extends PublicError {
  readonly code = 'bad_request';
}

export class Unauthorized extends PublicError {
  readonly code = 'unauthorized';

  /** `credentialGiven` is false when the caller sent none at all (RFC 6750 section 3.1 then wants no error code). */
  constructor(
    message: string,
    readonly credentialGiven: boolean,
  ) {
    super(message);
  }
}

export class Forbidden extends PublicError {
  readonly code = 'forbidden';

  constructor(
    message: string,
    readonly missingScope?: string,
  ) {
    super(message);
  }
}

/** Says the same of what never existed, of another workspace's and of the other mode's. */
export class NotFound extends PublicError {
  readonly code = 'not_found';

  constructor(what: string) {
    super(`No such ${what}.`);
  }
}

/** Refused for the request's content or for the resource's state. */
export class ValidationFailed extends PublicError {
  readonly code = 'validation_error';
  readonly details: readonly FieldProblem[];

  constructor(first: FieldProblem, ...more: FieldProblem[]) {
    super(`${first.field}: ${first.message}`);
    this.details = [first, ...more];
  }
}

/** The problems that `work` refuses something for; none when it refuses nothing. */
export function problemsOf(work: () => unknown): readonly FieldProblem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details;
    throw error;
  }
}

/** Too much is going on at the moment; whoever asks again a little later may be luckier. */
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
