import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine, and shorter than the time that a test has. */
const PATIENCE_MS = 25_000;

/**
 * Waits until a condition holds, and asks every 20 ms.
 *
 * @throws with `what` in its message when it doesn't hold within `patience` milliseconds.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string) = 'the condition to hold',
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
    await sleep(20);
  }
}

/**
 * Makes the assertions again and again until they hold, and resolves to what they return. After 25 seconds it throws what
 * the last of them threw.
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
