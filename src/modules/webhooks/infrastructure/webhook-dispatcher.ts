import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, type WebhookId } from '../../../kernel/ids';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { DisabledNotice } from '../application/disabled-notice';
import { claimLimits } from './claim-limits';
import { DeliveryLanes } from './delivery-lanes';
import { type Claim, DeliveryQueue, type Success } from './delivery-queue';
import { WebhookMetrics } from './webhook-metrics';
import { type Outcome, WebhookSender } from './webhook-sender';

/** How long attempts that are under way at the end may take. */
const DRAIN_MS = 10_000;

/**
 * Delivers what is due. HTTP happens outside of transactions: a claim is a lease, and what a killed instance was at is
 * taken over when the lease ends. So a delivery may come twice, and none is lost.
 */
@Injectable()
export class WebhookDispatcher implements BackgroundJob, OnModuleInit {
  private readonly lanes: DeliveryLanes;
  /** Endpoints that were changed since the last claim began; undefined stands for any. */
  private readonly changed = new Set<WebhookId | undefined>();
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
    this.lanes = new DeliveryLanes(
      (claim) => this.deliver(claim),
      (claims) => this.giveBack(claims),
      () => this.loop.stir(),
    );
    this.loop = new WorkLoop(
      () => this.fill(),
      (error) => this.logger.warn(describeError(error), 'webhook deliveries could not be read'),
    );
  }

  onModuleInit(): void {
    this.jobs.register(this);
  }

  start(): void {
    this.listener = this.notifications.listen('webhook_deliveries', (said) => this.heard(said));
    this.loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.listener?.stop(), this.loop.stop()]);
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    await Promise.race([this.lanes.drain(), timeout]);
    await this.recordSuccesses();
    await this.giveBack(this.lanes.leftOver());
  }

  /** The id of an endpoint that was changed, '' where there is something new to deliver, nothing where some may have been missed. */
  private heard(said?: string): void {
    if (said !== '') {
      const endpointId = said === undefined ? undefined : fromUuid('wh', said);
      this.changed.add(endpointId);
      void this.lanes.recall(endpointId);
    }
    this.loop.stir();
  }

  private async fill(): Promise<number> {
    this.changed.clear();
    const [claims] = await Promise.all([this.claim(), this.recordSuccesses()]);
    const isStale = ({ endpointId }: Claim) => this.changed.has(endpointId) || this.changed.has(undefined);
    const stale = claims.filter(isStale);
    this.lanes.add(claims.filter((claim) => !isStale(claim)));
    await this.giveBack(stale);
    return claims.length;
  }

  private async claim(): Promise<Claim[]> {
    const limits = claimLimits(this.lanes.held());
    return limits ? this.queue.claim(limits) : [];
  }

  private async deliver(claim: Claim): Promise<boolean | undefined> {
    const at = this.clock.now();
    // It is somebody else's soon, or is already.
    if (at > claim.sendBefore) return undefined;
    const outcome = await this.sender.send(claim.message, at);
    const succeeded = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    this.metrics.observe(succeeded ? 'succeeded' : 'failed', outcome.durationMs / 1000);
    if (succeeded) this.unrecorded.push({ claim, outcome, at });
    else await this.recordFailure(claim, outcome, at).catch(this.notRecorded);
    return succeeded;
  }

  /** Where that fails, their leases end. */
  private async giveBack(claims: Claim[]): Promise<void> {
    if (claims.length === 0) return;
    await this.queue.release(claims).catch(() => undefined);
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
    const failed = await this.queue.recordFailure(claim, outcome, at);
    const reason = outcome.status === 410 ? 'The endpoint answered 410 Gone.' : failed;
    if (!reason || !(await this.queue.disable(claim, reason))) return;
    await this.notice.send(claim.workspaceId, claim.message.url, reason);
  }
}
