import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceId } from '../../../kernel/ids';
import { Metrics } from '../../../platform/health/metrics';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { ChangeMessage } from '../application/change-message';
import { Channels } from '../application/channels';
import { SEND_TIMEOUT_MS, type SendOutcome } from '../application/message-channel';
import { OPTED_OUT, OUT_OF_TIME, UNCONFIRMED } from '../domain/message-error';
import { retryAt } from '../domain/retry-pace';
import { type Claim, ClaimLost, SendQueue } from './send-queue';

/** Messages that are under way at once, of this instance. */
const CAPACITY = 100;
/** And of one workspace: a mailing of one must not take everybody else's places. */
const PER_WORKSPACE = 20;
/** An outcome that can't be stored makes a message unconfirmed, so it is worth some patience. */
const RECORD_TRIES = 5;
const RECORD_PAUSE_MS = 1000;

/** Sends what is queued. Whatever dies in between, each message is sent once or ends as failed with a reason. */
@Injectable()
export class MessageDispatcher implements BackgroundJob, OnModuleInit {
  private readonly underWay = new Map<Claim, Promise<void>>();
  private readonly loop: WorkLoop;
  private readonly outcomes;
  private listener?: { stop(): Promise<void> };

  constructor(
    private readonly queue: SendQueue,
    private readonly channels: Channels,
    private readonly messages: ChangeMessage,
    private readonly notifications: Notifications,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.loop = new WorkLoop(
      () => this.fill(),
      (error) => this.logger.warn(describeError(error), 'queued messages could not be read'),
    );
    this.outcomes = metrics.counter({
      name: 'gala_message_attempts_total',
      help: 'Attempts to hand a message to its channel, by outcome.',
      labelNames: ['channel', 'outcome'],
    });
  }

  onModuleInit(): void {
    this.jobs.register(this);
  }

  start(): void {
    this.listener = this.notifications.listen('messages', () => this.loop.stir());
    this.loop.start();
  }

  /** Waits for what has left: giving it up would make it unconfirmed. */
  async stop(): Promise<void> {
    await this.listener?.stop();
    await this.loop.stop();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, SEND_TIMEOUT_MS).unref());
    await Promise.race([Promise.all(this.underWay.values()), timeout]);
  }

  private async fill(): Promise<number> {
    for (const { ref, id } of await this.queue.abandoned()) await this.messages.fail(ref, id, UNCONFIRMED);
    const free = CAPACITY - this.underWay.size;
    if (free <= 0) return 0;
    const claims = await this.queue.claim({
      capacity: free,
      perWorkspace: PER_WORKSPACE,
      taken: this.taken(),
    });
    for (const claim of claims) {
      const sending = this.send(claim)
        .catch((error: unknown) =>
          this.logger.warn(
            { ...describeError(error), message: claim.message.id },
            'a message could not be seen to',
          ),
        )
        .finally(() => {
          this.underWay.delete(claim);
          this.loop.stir();
        });
      this.underWay.set(claim, sending);
    }
    return claims.length;
  }

  private taken(): Map<WorkspaceId, number> {
    const counts = new Map<WorkspaceId, number>();
    for (const { ref } of this.underWay.keys()) {
      counts.set(ref.workspaceId, (counts.get(ref.workspaceId) ?? 0) + 1);
    }
    return counts;
  }

  private async send(claim: Claim): Promise<void> {
    const { ref, message } = claim;
    if (claim.isOptedOut) return this.messages.fail(ref, message.id, OPTED_OUT);
    const outcome = await this.handOver(claim);
    if (!outcome) return;
    this.outcomes.inc({ channel: this.channels.of(ref).name, outcome: outcome.kind });
    await this.persist(() => this.record(claim, outcome));
  }

  private async handOver(claim: Claim): Promise<SendOutcome | undefined> {
    const { ref, message } = claim;
    try {
      return await this.channels.of(ref).send(ref, message, () => this.queue.markSending(claim));
    } catch (error) {
      if (error instanceof ClaimLost) return undefined;
      this.logger.warn(
        { ...describeError(error), message: message.id },
        'a message could not be handed over',
      );
      // It hasn't left, or this had not been thrown. Perhaps it is marked as if, by a statement whose answer was lost.
      return { kind: 'later', retryAfterMs: 0 };
    }
  }

  private async record(claim: Claim, outcome: SendOutcome): Promise<void> {
    const { ref, message } = claim;
    switch (outcome.kind) {
      case 'sent':
        return this.messages.accept(ref, message.id, outcome);
      case 'refused':
        return this.messages.fail(ref, message.id, outcome.error);
      case 'ambiguous':
        return this.messages.fail(ref, message.id, UNCONFIRMED);
      case 'later': {
        const attempts = claim.attempts + 1;
        const until = retryAt({ ...claim, attempts }, outcome.retryAfterMs, this.clock.now());
        if (until) await this.queue.postpone(claim, attempts, until);
        else await this.messages.fail(ref, message.id, OUT_OF_TIME);
      }
    }
  }

  private async persist(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === RECORD_TRIES) throw error;
        await sleep(RECORD_PAUSE_MS * attempt);
      }
    }
  }
}
