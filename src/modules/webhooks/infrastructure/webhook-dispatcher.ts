import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WebhookId, WorkspaceId } from '../../../kernel/ids';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { DisabledNotice } from '../application/disabled-notice';
import { type Claim, DeliveryQueue, type Success } from './delivery-queue';
import { WebhookMetrics } from './webhook-metrics';
import { type Outcome, WebhookSender } from './webhook-sender';

/** Attempts at once, of this instance. */
const CAPACITY = 500;
/** Of them for one endpoint, as long as it doesn't fail; then it is one. */
const PER_ENDPOINT = 50;
/** And for one workspace: many slow endpoints of one must not take everybody else's places. */
const PER_WORKSPACE = 100;
/** How long attempts that are under way at the end may take. */
const DRAIN_MS = 10_000;

/**
 * Delivers what is due. HTTP happens outside of transactions: a claim is a lease, and what a killed instance was at is
 * taken over when the lease ends. So a delivery may come twice, and none is lost.
 */
@Injectable()
export class WebhookDispatcher implements BackgroundJob, OnModuleInit {
  private readonly underWay = new Map<Claim, Promise<void>>();
  private unrecorded: Success[] = [];
  private readonly loop: WorkLoop;
  private listener?: { stop(): Promise<void> };

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly notice: DisabledNotice,
    private readonly metrics: WebhookMetrics,
    private readonly notifications: Notifications,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.loop = new WorkLoop(
      () => this.fill(),
      (error) => this.logger.warn(describeError(error), 'webhook deliveries could not be read'),
    );
  }

  onModuleInit(): void {
    this.jobs.register(this);
  }

  start(): void {
    this.listener = this.notifications.listen('webhook_deliveries', () => this.loop.stir());
    this.loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.listener?.stop(), this.loop.stop()]);
    const drained = Promise.all(this.underWay.values());
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    await Promise.race([drained, timeout]);
    await this.recordSuccesses();
    await Promise.all(
      [...this.underWay.keys()].map((claim) => this.queue.release(claim).catch(() => undefined)),
    );
  }

  private async fill(): Promise<number> {
    await this.recordSuccesses();
    const free = CAPACITY - this.underWay.size;
    if (free <= 0) return 0;
    const claims = await this.queue.claim({
      capacity: free,
      perEndpoint: PER_ENDPOINT,
      perWorkspace: PER_WORKSPACE,
      busyEndpoints: this.busyEndpoints(),
      busyWorkspaces: this.busyWorkspaces(),
    });
    for (const claim of claims) {
      const delivery = this.deliver(claim).finally(() => {
        this.underWay.delete(claim);
        this.loop.stir();
      });
      this.underWay.set(claim, delivery);
    }
    return claims.length;
  }

  /** Those that have all their places taken. One that hangs must not take everybody else's as well. */
  private busyEndpoints(): WebhookId[] {
    const counts = new Map<WebhookId, number>();
    for (const { endpointId, isFailing } of this.underWay.keys()) {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + (isFailing ? PER_ENDPOINT : 1));
    }
    return [...counts].filter(([, count]) => count >= PER_ENDPOINT).map(([id]) => id);
  }

  private busyWorkspaces(): WorkspaceId[] {
    const counts = new Map<WorkspaceId, number>();
    for (const { workspaceId } of this.underWay.keys()) {
      counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count >= PER_WORKSPACE).map(([id]) => id);
  }

  private async deliver(claim: Claim): Promise<void> {
    const at = this.clock.now();
    const outcome = await this.sender.send(claim.message, at);
    const succeeded = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    this.metrics.observe(succeeded ? 'succeeded' : 'failed', outcome.durationMs / 1000);
    if (succeeded) this.unrecorded.push({ claim, outcome, at });
    else await this.recordFailure(claim, outcome, at).catch(this.notRecorded);
  }

  private async recordSuccesses(): Promise<void> {
    if (this.unrecorded.length === 0) return;
    const successes = this.unrecorded;
    this.unrecorded = [];
    await this.queue.recordSuccesses(successes).catch(this.notRecorded);
  }

  /** The leases end, and what they were for is sent again: at least once. */
  private readonly notRecorded = (error: unknown) =>
    this.logger.warn(describeError(error), 'the outcome of webhook deliveries could not be stored');

  private async recordFailure(claim: Claim, outcome: Outcome, at: Date): Promise<void> {
    const { shouldDisable } = await this.queue.recordFailure(claim, outcome, at);
    const reason =
      outcome.status === 410
        ? 'The endpoint answered 410 Gone.'
        : shouldDisable && 'Every delivery failed for five days.';
    if (!reason || !(await this.queue.disable(claim, reason))) return;
    await this.notice.send(claim.workspaceId, claim.message.url, reason);
  }
}
