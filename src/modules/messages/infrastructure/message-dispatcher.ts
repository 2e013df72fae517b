import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceId } from '../../../kernel/ids';
import { Metrics } from '../../../platform/health/metrics';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { LeasedQueue, type QueueWork } from '../../../platform/jobs/leased-queue';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Notifications } from '../../../platform/persistence/notifications';
import { ChangeMessage } from '../application/change-message';
import { Channels } from '../application/channels';
import { SEND_TIMEOUT_MS, type SendOutcome } from '../application/message-channel';
import { OPTED_OUT, OUT_OF_TIME, UNCONFIRMED } from '../domain/message-error';
import { retryAt } from '../domain/retry-pace';
import { type Claim, ClaimLost, SendQueue } from './send-queue';

/** Messages that this instance sends at the same time. */
const CAPACITY = 100;
/** Of one workspace: the mailing of one customer must not take the places of everybody else. */
const PER_WORKSPACE = 20;
/** A message whose outcome can't be stored ends as unconfirmed, so storing it is worth some patience. */
const RECORD_TRIES = 5;
const RECORD_PAUSE_MS = 1000;

/** Sends queued messages. Whenever the process dies, each message is sent once or fails with a reason. */
@Injectable()
export class MessageDispatcher implements QueueWork<Claim>, OnModuleInit {
  readonly name = 'queued messages';
  readonly channel = 'messages';
  /** Work that is abandoned would leave its message unconfirmed. */
  readonly drainMs = SEND_TIMEOUT_MS;
  private readonly outcomes;

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
    this.outcomes = metrics.counter({
      name: 'gala_message_attempts_total',
      help: 'Attempts to hand a message to its channel, by outcome.',
      labelNames: ['channel', 'outcome'],
    });
  }

  onModuleInit(): void {
    this.jobs.register(new LeasedQueue(this, this.notifications, this.logger));
  }

  async claim(held: readonly Claim[]): Promise<Claim[]> {
    for (const { ref, id } of await this.queue.abandoned()) await this.messages.fail(ref, id, UNCONFIRMED);
    const capacity = CAPACITY - held.length;
    if (capacity <= 0) return [];
    const taken = new Map<WorkspaceId, number>();
    for (const { ref } of held) taken.set(ref.workspaceId, (taken.get(ref.workspaceId) ?? 0) + 1);
    return this.queue.claim({ capacity, perWorkspace: PER_WORKSPACE, taken });
  }

  async handle(claim: Claim): Promise<void> {
    const { ref, id } = claim;
    if (claim.isOptedOut) return this.messages.fail(ref, id, OPTED_OUT);
    const outcome = await this.send(claim);
    if (!outcome) return;
    this.outcomes.inc({ channel: this.channels.of(ref).name, outcome: outcome.kind });
    await patiently(() => this.record(claim, outcome));
  }

  private async send(claim: Claim): Promise<SendOutcome | undefined> {
    const { ref, id, message } = claim;
    try {
      return await this.channels.of(ref).send(ref, message, () => this.queue.markSending(claim));
    } catch (error) {
      if (error instanceof ClaimLost) return undefined;
      this.logger.warn({ ...describeError(error), id }, 'a message could not be handed to its channel');
      // A channel throws only before the message leaves. If the answer to `markSending` was lost, the row may say otherwise.
      return { kind: 'later', retryAfterMs: 0 };
    }
  }

  private async record(claim: Claim, outcome: SendOutcome): Promise<void> {
    const { ref, id } = claim;
    switch (outcome.kind) {
      case 'sent':
        return this.messages.accept(ref, id, outcome);
      case 'refused':
        return this.messages.fail(ref, id, outcome.error);
      case 'ambiguous':
        return this.messages.fail(ref, id, UNCONFIRMED);
      case 'later': {
        const attempts = claim.attempts + 1;
        const until = retryAt({ ...claim, attempts }, outcome.retryAfterMs, this.clock.now());
        if (until) await this.queue.postpone(claim, attempts, until);
        else await this.messages.fail(ref, id, OUT_OF_TIME);
      }
    }
  }
}

async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === RECORD_TRIES) throw error;
      await sleep(RECORD_PAUSE_MS * attempt);
    }
  }
}
