/** What a caller has left in the running 60-second window. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the window, Unix time in whole seconds. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** `reads` and `writes` count per credential, `address` counts per client address. */
export type Bucket = 'reads' | 'writes' | 'address';

/** A port: counts one request and says what is left, exactly, however many come at once. */
export abstract class RateLimiter {
  abstract consume(bucket: Bucket, subject: string): Promise<RateState>;
}
