const TICK_MS = 50;

/**
 * Rejects what isn't settled after so many milliseconds. They count only while this process's event loop turns: an
 * answer that has arrived while the process was busy with other work is not late.
 */
export function settledWithin<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let ticks: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let ticksLeft = Math.ceil(milliseconds / TICK_MS);
    ticks = setInterval(() => {
      if (--ticksLeft === 0) reject(new Error(`No answer within ${milliseconds} ms.`));
    }, TICK_MS);
  });
  return Promise.race([promise, late]).finally(() => clearInterval(ticks));
}
