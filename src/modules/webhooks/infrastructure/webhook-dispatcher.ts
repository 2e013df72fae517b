import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { BatchedWrites } from '../../../platform/jobs/batched-writes';
import { LeasedQueue, type QueueWork } from '../../../platform/jobs/leased-queue';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { DisabledNotice } from '../application/disabled-notice';
import { claimLimits } from './claim-limits';
import { DeliveryLanes } from './delivery-lanes';
import { type Attempt, type Claim, DeliveryQueue } from './delivery-queue';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSender } from './webhook-sender';

/** Delivers due events, each at least once: an instance may die between sending a delivery and recording it. */
@Injectable()
export class WebhookDispatcher implements QueueWork<Claim>, OnModuleInit {
  readonly name = 'webhook deliveries';
  readonly channel = 'webhook_deliveries';
  readonly drainMs = 10_000;
  private readonly releases = new BatchedWrites<Claim>((claims) => this.release(claims));
  private readonly lanes = new DeliveryLanes((claim) => this.releases.add(claim));
  private readonly successes = new BatchedWrites<Attempt>((attempts) => this.recordSuccesses(attempts));

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly notice: DisabledNotice,
    private readonly metrics: WebhookMetrics,
    private readonly unitOfWork: UnitOfWork,
    private readonly notifications: Notifications,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(new LeasedQueue(this, this.notifications, this.logger));
  }

  async claim(): Promise<Claim[]> {
    const limits = claimLimits(this.lanes.beginClaim());
    return limits ? this.queue.claim(limits) : [];
  }

  async handle(claim: Claim): Promise<void> {
    const attempt = await this.lanes.pass(claim, () => this.attempt(claim));
    if (attempt?.succeeded) await this.successes.add(attempt);
  }

  /** @param endpoint the UUID of a changed endpoint */
  recall(endpoint?: string): void {
    this.lanes.recall(endpoint === undefined ? undefined : fromUuid('wh', endpoint));
  }

  async release(claims: readonly Claim[]): Promise<void> {
    // Otherwise their leases end by themselves.
    await this.queue.release(claims).catch(() => undefined);
  }

  private async attempt(claim: Claim): Promise<Attempt | undefined> {
    const at = this.clock.now();
    // The lease could end before the attempt does.
    if (at > claim.sendBefore) return undefined;
    const outcome = await this.sender.send(claim.message, at);
    const succeeded = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    this.metrics.observe(succeeded ? 'succeeded' : 'failed', outcome.durationMs / 1000);
    const attempt = { claim, outcome, at, succeeded };
    if (!succeeded) await this.recordFailure(attempt).catch(this.notRecorded);
    return attempt;
  }

  private async recordSuccesses(attempts: readonly Attempt[]): Promise<void> {
    await this.queue.recordSuccesses(attempts).catch(this.notRecorded);
  }

  private async recordFailure(attempt: Attempt): Promise<void> {
    const { claim } = attempt;
    const reason = await this.queue.recordFailure(attempt);
    if (!reason) return;
    await this.unitOfWork.run(async () => {
      if (!(await this.queue.disable(claim, reason))) return;
      await this.notice.send(claim.workspaceId, claim.message.url, reason);
    });
  }

  /** The deliveries are sent again when their leases have ended. */
  private readonly notRecorded = (error: unknown) =>
    this.logger.warn(describeError(error), 'attempts of webhook deliveries could not be recorded');
}
