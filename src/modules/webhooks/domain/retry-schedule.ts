const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait before each attempt, counted from the one before (Standard Webhooks 1.0, its example schedule). */
export const DELAYS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const MAX_ATTEMPTS = DELAYS_MS.length;
/** The step of a delivery outside the schedule: it is attempted once. */
export const ONLY_ATTEMPT = MAX_ATTEMPTS;

const JITTER = 0.1;
const LONGEST_WAIT_MS = 24 * HOUR;

/**
 * When to try again after `attempts` failures, in milliseconds from now; undefined when that was the last one. A
 * receiver may ask for more time, up to a day. `random` spreads those that failed together, from 0 to 1.
 */
export function retryDelay(
  attempts: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return undefined;
  const spread = delay * (1 + JITTER * random);
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)));
}
