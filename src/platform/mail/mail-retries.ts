const SECOND = 1000;
const PAUSES_MS = [1 * SECOND, 10 * SECOND, 60 * SECOND, 300 * SECOND, 900 * SECOND, 3600 * SECOND];
/** So that mails which failed together aren't all retried in the same moment. */
const JITTER = 0.2;

/**
 * The pause before the next attempt, in milliseconds.
 *
 * @param attempts how many have failed, from 1
 * @param random from 0 to 1
 */
export function retryPause(attempts: number, random: number): number {
  return PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]! * (1 + JITTER * random);
}
