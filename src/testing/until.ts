import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine, but shorter than a test's timeout. */
const PATIENCE_MS = 25_000;

/**
 * Polls a condition every 20 ms until it is true.
 *
 * @throws an error that contains `what`, if the condition isn't true within `patience` milliseconds
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string) = 'the condition to hold',
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`Timed out waiting for ${typeof what === 'string' ? what : what()}.`);
    await sleep(20);
  }
}

/**
 * Retries the assertions every 50 ms until they pass, and resolves to their result. After 25 seconds, it throws the last
 * error.
 */
export async function eventually<Result>(assertions: () => Promise<Result> | Result): Promise<Result> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
