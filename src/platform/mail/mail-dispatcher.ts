import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { RateLimited } from '../../kernel/errors';
import { type MailOptions, MailQueue } from '../../kernel/mail-queue';
import { type Mail, Mailer, MailRefused } from '../../kernel/mailer';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { BackgroundJobs } from '../jobs/background-jobs';
import { BatchedWrites } from '../jobs/batched-writes';
import { LeasedQueue, type QueueWork } from '../jobs/leased-queue';
import { Logger } from '../logging/logger';
import { Notifications } from '../persistence/notifications';
import { MailMetrics } from './mail-metrics';
import { retryPause } from './mail-retries';
import { ATTEMPT_MS, type Claim, countByLane, OutgoingMails, PER_LANE, START_MS } from './outgoing-mails';

/** Mails that this process sends at the same time. */
const CAPACITY = 20;
const DEFAULT_LIFETIME_MS = 3 * 24 * 3600 * 1000;
const MAX_CHARACTERS = 100_000;
const FULL_RETRY_SECONDS = 60;

/**
 * Sends stored mails. The process that stores a mail makes the first attempt right after the commit; the loop, on any
 * instance, picks up retries, mails beyond the capacity, and those of processes that were killed.
 */
@Injectable()
export class MailDispatcher
  extends MailQueue
  implements QueueWork<Claim>, OnModuleInit, BeforeApplicationShutdown
{
  readonly name = 'outgoing mails';
  readonly drainMs = 20_000;
  private readonly queue: LeasedQueue<Claim>;
  private readonly releases = new BatchedWrites<Claim>((claims) => this.mails.release(claims));

  constructor(
    private readonly mails: OutgoingMails,
    private readonly mailer: Mailer,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: MailMetrics,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
    notifications: Notifications,
  ) {
    super();
    this.queue = new LeasedQueue(this, notifications, logger);
  }

  onModuleInit(): void {
    this.jobs.register(this.queue);
  }

  /** Also waits for the first attempts of a process whose background jobs never started. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.stop();
  }

  async add(mail: Mail, { expiresAt, workspaceId }: MailOptions = {}): Promise<void> {
    if (mail.to.length + mail.subject.length + mail.text.length > MAX_CHARACTERS) {
      throw new RangeError(`A mail holds at most ${MAX_CHARACTERS} characters.`);
    }
    const now = this.clock.now();
    const end = expiresAt ?? new Date(now.getTime() + DEFAULT_LIFETIME_MS);
    await this.unitOfWork.run(async () => {
      const claim = await this.mails.add(mail, { expiresAt: end, workspaceId });
      if (claim) this.unitOfWork.afterCommit(() => this.begin(claim, now));
      else if (end > now) this.refuse(workspaceId !== undefined);
    });
  }

  async claim(held: readonly Claim[]): Promise<Claim[]> {
    const capacity = CAPACITY - held.length;
    return capacity > 0 ? this.mails.claim(capacity, held) : [];
  }

  async handle(claim: Claim): Promise<void> {
    if (claim.expiresAt <= this.clock.now()) return this.giveUp(claim, 'expired', 'expired');
    try {
      await inTime(this.mailer.post(claim.mail));
    } catch (error) {
      const tried = { ...claim, attempts: claim.attempts + 1 };
      const reason = reasonOf(error);
      return error instanceof MailRefused
        ? this.giveUp(tried, 'refused', reason)
        : this.retryLater(tried, reason);
    }
    this.metrics.count('sent');
    await this.mails.remove(claim);
  }

  private begin(claim: Claim, storedAt: Date): void {
    const { claims } = this.queue;
    const ofLane = countByLane(claims).get(claim.lane) ?? 0;
    const hasRoom = claims.length < CAPACITY && ofLane < PER_LANE;
    const isFresh = this.clock.now().getTime() - storedAt.getTime() < START_MS;
    if (hasRoom && isFresh) this.queue.take(claim);
    // If the lease can't be ended, it ends by itself.
    else void this.releases.add(claim).catch(() => undefined);
  }

  private async retryLater(claim: Claim, reason: string): Promise<void> {
    const { id, attempts } = claim;
    const retryAt = new Date(this.clock.now().getTime() + retryPause(attempts, Math.random()));
    if (retryAt >= claim.expiresAt) return this.giveUp(claim, 'expired', reason);
    this.metrics.count('failed');
    this.logger.warn({ id, attempts, reason, retryAt }, 'an email could not be sent yet');
    await this.mails.postpone(claim, retryAt);
  }

  private async giveUp(claim: Claim, outcome: 'refused' | 'expired', reason: string): Promise<void> {
    this.metrics.count(outcome);
    const { id, attempts } = claim;
    this.logger.error({ id, attempts, reason }, 'an email could not be sent');
    await this.mails.fail(claim, reason);
  }

  /**
   * A workspace that fills its part of the queue learns of it. A mail about an account is dropped instead: a full mailbox
   * must neither keep anyone from changing a password, nor show strangers who has an account.
   */
  private refuse(isOfWorkspace: boolean): void {
    if (isOfWorkspace) throw new RateLimited(FULL_RETRY_SECONDS);
    this.metrics.count('dropped');
    this.logger.error({}, 'an email was dropped: too many emails to its recipient are waiting');
  }
}

/** Rejects when the work takes longer than an attempt may. */
async function inTime(work: void | Promise<void>): Promise<void> {
  const ended = new AbortController();
  const timeout = sleep(ATTEMPT_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw Object.assign(new Error('The attempt took too long.'), { code: 'ETIMEDOUT' });
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    ended.abort();
  }
}

/** A code and never a message, because messages of mail servers quote recipients. */
function reasonOf(error: unknown): string {
  const { responseCode, code, cause, name } = Object(error) as Record<string, unknown>;
  const inner = (cause as { code?: unknown } | undefined)?.code;
  const reason = String(responseCode ?? code ?? inner ?? name);
  return /^\w{1,40}$/.test(reason) ? reason : 'unknown';
}
