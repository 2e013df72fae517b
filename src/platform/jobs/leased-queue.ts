import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../logging/describe-error';
import type { Logger } from '../logging/logger';
import type { Notifications } from '../persistence/notifications';
import type { BackgroundJob } from './background-jobs';
import { WorkLoop } from './work-loop';

/** A row that this process holds the lease of. Until the lease ends, no other process claims the row. */
export interface Leased {
  /** Identifies the row in the log. */
  readonly id: string;
}

/** The part of a queue that depends on its table. */
export interface QueueWork<Claim extends Leased> {
  /** The rows in words, for the log: `webhook deliveries`. */
  readonly name: string;
  /** The NOTIFY channel. An empty payload announces due rows, any other is a key for `recall`. Without it, rows are polled. */
  readonly channel?: string;
  /** How long work in progress may take at shutdown, in milliseconds. */
  readonly drainMs: number;
  /** Claims due rows, as many as there is room for beside `held`, the claims that this process works on. */
  claim(held: readonly Claim[]): Promise<readonly Claim[]>;
  /** Does the work of one row and stores its outcome. After a rejection the row is claimed again when its lease has ended. */
  handle(claim: Claim): Promise<void>;
  /** Gives up claims whose work hasn't begun: those of a key, or all. */
  recall?(key?: string): void;
  /** Ends the leases of claims that `drainMs` was too short for, so that another process takes over at once. */
  release?(claims: readonly Claim[]): Promise<void>;
}

/**
 * A table as a queue that all instances share. A claim is a lease, and work happens outside of transactions: the rows of
 * a killed process are claimed by another one when their leases have ended. So work is done at least once.
 */
export class LeasedQueue<Claim extends Leased> implements BackgroundJob {
  private readonly held = new Map<Claim, Promise<void>>();
  private readonly loop: WorkLoop;
  private listener?: { stop(): Promise<void> };

  constructor(
    private readonly work: QueueWork<Claim>,
    private readonly notifications: Notifications,
    private readonly logger: Logger,
  ) {
    this.loop = new WorkLoop(
      () => this.fill(),
      (error) => this.logger.warn(describeError(error), `${work.name} could not be claimed`),
    );
  }

  /** The claims that this process works on. */
  get claims(): Claim[] {
    return [...this.held.keys()];
  }

  start(): void {
    if (this.work.channel) {
      this.listener = this.notifications.listen(this.work.channel, (payload) => {
        if (payload !== '') this.work.recall?.(payload);
        this.loop.stir();
      });
    }
    this.loop.start();
  }

  /** Works at once on a row that was written with a lease, whether or not the queue has started. */
  take(claim: Claim): void {
    this.held.set(claim, this.handle(claim));
  }

  async stop(): Promise<void> {
    await Promise.all([this.listener?.stop(), this.loop.stop()]);
    this.work.recall?.();
    const timeout = sleep(this.work.drainMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.held.values()), timeout]);
    if (this.held.size > 0) await this.work.release?.(this.claims);
  }

  private async fill(): Promise<number> {
    const claims = await this.work.claim(this.claims);
    for (const claim of claims) this.take(claim);
    return claims.length;
  }

  private async handle(claim: Claim): Promise<void> {
    try {
      await this.work.handle(claim);
    } catch (error) {
      this.logger.warn({ ...describeError(error), id: claim.id }, `work on ${this.work.name} failed`);
    }
    this.held.delete(claim);
    this.loop.stir();
  }
}
