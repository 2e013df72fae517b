const USUAL_TRIES = 4;
/** On a machine that others use, the time for a request can be several times what it takes alone. */
const MOST_TRIES = 24;

export interface Bounds {
  /** So little is enough at the first try. */
  readonly usualMs: number;
  /** More than that is measured again and again: of a request that really costs more, every try does. */
  readonly limitMs: number;
}

/**
 * The processor time that `work` takes in this process, in milliseconds, client and service together. Other work in the
 * process can only add to it, so the least of several tries counts.
 */
export async function cpuTimeOf(work: () => Promise<unknown>, { usualMs, limitMs }: Bounds): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < MOST_TRIES && least > (tries < USUAL_TRIES ? usualMs : limitMs); tries++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
