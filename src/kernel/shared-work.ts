/**
 * Runs work once at a time for each key. Calls during a run share the next run, which starts when the current one has
 * ended. So a result is never older than its call, and many calls at once cost two runs.
 */
export class SharedWork<Result> {
  private readonly running = new Map<string, Promise<Result>>();
  private readonly next = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const next = this.next.get(key);
    if (next) return next;
    const running = this.running.get(key);
    if (!running) return this.start(key, work);
    const following = running
      .catch(() => undefined)
      .then(() => {
        this.next.delete(key);
        return this.start(key, work);
      });
    this.next.set(key, following);
    return following;
  }

  private start(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = work().finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }
}
