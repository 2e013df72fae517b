const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay of each attempt after the one before: the example schedule of Standard Webhooks 1.0. */
const DELAYS_MS = [
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
/** The step of a delivery that gets a single attempt, outside the schedule. */
export const ONLY_ATTEMPT = DELAYS_MS.length;

const JITTER = 0.1;
const LONGEST_WAIT_MS = 24 * HOUR;

/**
 * The delay of the next attempt in milliseconds, or undefined after the last one. A receiver can ask for more time, up to a
 * day.
 *
 * @param attempts how many have failed
 * @param random from 0 to 1, spreads deliveries that have failed together
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
