/**
 * Work of which one piece at a time runs for each key. Whoever asks while one is running shares the next one, which starts
 * when that has ended: so a result is never older than the question for it, however many ask at once.
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
