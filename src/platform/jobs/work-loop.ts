const POLL_MS = 1000;

/**
 * Does work in portions as long as there is some, then rests until it is stirred, or a second has passed: what is heard
 * by notification is only the faster way.
 */
export class WorkLoop {
  private running?: Promise<void>;
  private isStopping = false;
  private hasNews = false;
  private wake: () => void = () => undefined;

  /** `work` resolves to how much it has done; 0 lets the loop rest. */
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

  /** Resolves when the portion that is under way is done. */
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
