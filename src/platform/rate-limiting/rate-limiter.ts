/** What a caller has left in the running window, of 60 seconds for the API. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the window, Unix time in whole seconds. */
  readonly reset: number;
  /** Whole seconds until then, 1 at least and never more than the window has. */
  readonly retryAfter: number;
  readonly exceeded: boolean;
}

/**
 * `reads` and `writes` count per credential, `workspace` for all of a workspace and mode where the operator sets a limit,
 * `address` per client address: calls of the API without a credential, and
 * failed guesses elsewhere. `pages` count per signed-in person, or else per address; `files`, and `visits` of clients to
 * proposals, per address. The others count tries at what mustn't be guessed or sent without end.
 */
export type Bucket =
  | 'reads'
  | 'writes'
  | 'workspace'
  | 'address'
  | 'pages'
  | 'files'
  | 'visits'
  | 'tries'
  | 'triesOnAccount'
  | 'triesFromAddress'
  | 'mails';

/** A port: counts one request and says what is left, exactly, however many come at once. */
export abstract class RateLimiter {
  abstract consume(bucket: Bucket, subject: string): Promise<RateState>;
  /** Takes back one that turned out not to count. */
  abstract giveBack(bucket: Bucket, subject: string): Promise<void>;
}
