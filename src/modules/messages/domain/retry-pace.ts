const FIRST_MS = 2000;
const LONGEST_MS = 3600 * 1000;
const GIVE_UP_MS = 24 * 3600 * 1000;

/**
 * When to try again what the channel would not take just now, or undefined when it has waited for a day. The channel's
 * own wish counts when it is longer.
 */
export function retryAt(
  { createdAt, attempts }: { createdAt: Date; attempts: number },
  wishedMs: number,
  now: Date,
): Date | undefined {
  const pace = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);
  const at = now.getTime() + Math.max(pace, wishedMs);
  return at - createdAt.getTime() > GIVE_UP_MS ? undefined : new Date(at);
}
