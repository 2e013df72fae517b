/** A caller's state in the current window, which is 60 seconds for the API. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the window in Unix time, whole seconds. */
  readonly reset: number;
  /** Whole seconds until then, at least 1 and at most the length of the window. */
  readonly retryAfter: number;
  readonly exceeded: boolean;
}

/**
 * - `reads`, `writes`: per credential, with those that it replaces.
 * - `workspace`: per workspace and mode, if the operator sets a limit.
 * - `address`: API requests without a credential, and failed guesses elsewhere, per client address.
 * - `preflights`: per address, as many as files. Apart from `address`, since browsers send one for each URL.
 * - `pages`: per signed-in person, or else per address.
 * - `files`, and `visits` of clients to proposals: per address.
 * - `questions` of clients per address, `questionsAbout` a proposal.
 * - `tries…`: sign-in attempts. `mails`: emails per recipient.
 */
export type Bucket =
  | 'reads'
  | 'writes'
  | 'workspace'
  | 'address'
  | 'preflights'
  | 'pages'
  | 'files'
  | 'visits'
  | 'questions'
  | 'questionsAbout'
  | 'tries'
  | 'triesOnAccount'
  | 'triesFromAddress'
  | 'mails';

/** Port: counts one request and returns the remaining ones. Exact under concurrency. */
export abstract class RateLimiter {
  abstract consume(bucket: Bucket, subject: string): Promise<RateState>;
  /** Takes back a request that turned out not to count. */
  abstract giveBack(bucket: Bucket, subject: string): Promise<void>;
}
