const FIRST_MS = 2000;
const LONGEST_MS = 3600 * 1000;
const GIVE_UP_MS = 24 * 3600 * 1000;

/**
 * When to retry a message that the channel did not take, or undefined after a day. The channel can ask for a longer delay.
 */
export function retryAt(
  { createdAt, attempts }: { createdAt: Date; attempts: number },
  retryAfterMs: number,
  now: Date,
): Date | undefined {
  const pace = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);
  const at = now.getTime() + Math.max(pace, retryAfterMs);
  return at - createdAt.getTime() > GIVE_UP_MS ? undefined : new Date(at);
}
