const TICK_MS = 50;

/**
 * Rejects if the promise isn't settled after so many milliseconds. The time is measured in event loop ticks, so an answer that
 * arrives while the process is busy with other work isn't late.
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
