const POLL_MS = 1000;

/**
 * Runs work in batches as long as there is some, then rests until it is stirred or a second has passed. So a lost
 * notification delays work by a second at most.
 */
export class WorkLoop {
  private running?: Promise<void>;
  private isStopping = false;
  private hasNews = false;
  private wake: () => void = () => undefined;

  /** @param work runs one batch and resolves to its size; after a batch of 0 the loop rests */
  constructor(
    private readonly work: () => Promise<number>,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  stir(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Resolves when the batch in progress has ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.stir();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.hasNews = false;
      const done = await this.work().catch((error: unknown) => {
        this.failed(error);
        return 0;
      });
      if (done === 0) await this.rest();
    }
  }

  private async rest(): Promise<void> {
    if (this.hasNews || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
