import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { RateLimited } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Turns } from '../../../kernel/turns';
import { Metrics } from '../../../platform/health/metrics';
import { Logger } from '../../../platform/logging/logger';
import { ChangeMessage } from '../application/change-message';
import type { Connection } from '../application/connection';
import { MessageRepository } from '../application/message-repository';
import { LearnContact } from '../application/learn-contact';
import { type IncomingMessage, ReceiveMessage } from '../application/receive-message';
import {
  type Notification,
  readNotification,
  type ReceivedEntry,
  type StatusReport,
  toMessage,
  toReport,
} from './whatsapp-notification';

/** Messages and statuses processed of one notification. WhatsApp sends no more in one. */
const MAX_UPDATES = 1000;
const LOOKED_UP_AT_ONCE = 1000;
/** After this many failures, the problem is the service and not an update. */
const MAX_FAILURES = 5;
/** Of the work on one notification. The rest waits for its repetition. */
const MAX_WORK_MS = 15_000;
const RETRY_AFTER_SECONDS = 10;
/** About the time that WhatsApp waits for an answer. */
const MAX_WAIT_MS = 10_000;
const NOTIFICATIONS = { atOnce: 1000, atOnceEach: 1, waitingEach: 49, waiting: 1000 };
/** Leaves most of the database pool to other requests. */
const UPDATES = { atOnce: 4, waitingEach: 1, waiting: 1000 };

/** The updates of a notification that are processed. */
interface Updates {
  readonly messages: readonly IncomingMessage[];
  readonly reports: readonly StatusReport[];
  /** New messages that are left for the repetition of the notification. */
  readonly messagesLeft: number;
  readonly statusesDropped: number;
}

/** Processes WhatsApp's notifications, each update in its own transaction. */
@Injectable()
export class WhatsAppIntake {
  /** One notification of each connection at a time. */
  private readonly notifications = new Turns({ ...NOTIFICATIONS, retryAfterSeconds: RETRY_AFTER_SECONDS });
  /** The updates of all connections, which take turns. */
  private readonly updates = new Turns({ ...UPDATES, retryAfterSeconds: RETRY_AFTER_SECONDS });
  private readonly deferred;
  private readonly dropped;

  constructor(
    private readonly messages: MessageRepository,
    private readonly receiveMessage: ReceiveMessage,
    private readonly changeMessage: ChangeMessage,
    private readonly learnContact: LearnContact,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.deferred = metrics.counter({
      name: 'gala_whatsapp_messages_deferred_total',
      help: 'Messages over the limit of one notification, left for its repetition.',
    });
    this.dropped = metrics.counter({
      name: 'gala_whatsapp_statuses_dropped_total',
      help: 'Statuses over the limit of one notification, which are not kept.',
    });
  }

  /**
   * Resolves to false for anything but a notification.
   *
   * @throws RateLimited when it holds too many updates, or too many notifications wait. WhatsApp then repeats it, and the
   * updates stored so far are recognised.
   */
  take(connection: Connection, bytes: Buffer): Promise<boolean> {
    const arrivedAt = performance.now();
    return this.notifications.run(connection.id, async () => {
      if (performance.now() - arrivedAt > MAX_WAIT_MS) throw new RateLimited(RETRY_AFTER_SECONDS);
      const updates = await this.updatesIn(connection, bytes);
      if (!updates) return false;
      const isDone = await this.takeUpdates(connection, updates);
      if (!isDone || updates.messagesLeft > 0) throw new RateLimited(RETRY_AFTER_SECONDS);
      return true;
    });
  }

  /** Only the updates to be processed stay in memory while they wait for their turns. */
  private async updatesIn({ ref, phoneNumberId }: Connection, bytes: Buffer): Promise<Updates | undefined> {
    const notification = readNotification(bytes, phoneNumberId);
    if (!notification) return undefined;
    const fresh = await this.newMessages(ref, notification);
    const now = this.clock.now();
    const messages = fresh.slice(0, MAX_UPDATES).map((entry) => toMessage(entry, now));
    const messagesLeft = fresh.length - messages.length;
    // Repeated statuses can't be recognised, so they wait for the repetition without messages left.
    const room = messagesLeft > 0 ? 0 : MAX_UPDATES - messages.length;
    const reports = notification.statuses.slice(0, room).flatMap((status) => toReport(status, now) ?? []);
    const statusesDropped = messagesLeft > 0 ? 0 : Math.max(0, notification.statuses.length - room);
    this.tell(messagesLeft, statusesDropped);
    this.tellOfAnonymous(notification.anonymous);
    return { messages, reports, messagesLeft, statusesDropped };
  }

  private async newMessages(ref: WorkspaceRef, { messages }: Notification): Promise<ReceivedEntry[]> {
    const fresh = new Map<string, ReceivedEntry>();
    for (let start = 0; start < messages.length; start += LOOKED_UP_AT_ONCE) {
      const portion = messages.slice(start, start + LOOKED_UP_AT_ONCE);
      const ids = portion.map(({ providerId }) => providerId);
      const known = await this.messages.receivedAmong(ref, ids);
      for (const entry of portion) {
        if (!known.has(entry.providerId) && !fresh.has(entry.providerId)) fresh.set(entry.providerId, entry);
      }
    }
    return [...fresh.values()];
  }

  /**
   * Resolves to false when the time wasn't enough for all updates. An update that fails doesn't keep the others from being
   * stored; the notification is repeated for it.
   */
  private async takeUpdates({ id, ref }: Connection, { messages, reports }: Updates): Promise<boolean> {
    const endsAt = performance.now() + MAX_WORK_MS;
    const failures: unknown[] = [];
    const work = [
      ...messages.map((message) => () => this.receive(ref, message)),
      ...reports.map((report) => () => this.report(ref, report)),
    ];
    for (const each of work) {
      if (performance.now() > endsAt) return false;
      await this.updates.run(id, each).catch((error: unknown) => failures.push(error));
      if (failures.length === MAX_FAILURES) break;
    }
    if (failures.length > 0) throw failures[0];
    return true;
  }

  private async receive(ref: WorkspaceRef, incoming: IncomingMessage): Promise<void> {
    const message = await this.receiveMessage.execute(ref, incoming);
    if (message?.leadId !== null) return;
    this.logger.info({ messageId: message.id }, 'a message came in from someone who is no lead');
  }

  private async report(ref: WorkspaceRef, { subject, report, recipient }: StatusReport): Promise<void> {
    await this.changeMessage.report(ref, subject, report);
    await this.learnContact.execute(ref, recipient);
  }

  private tellOfAnonymous(count: number): void {
    if (count === 0) return;
    this.logger.warn(
      { count },
      'messages of a WhatsApp notification name no sender or have no id, and are not kept',
    );
  }

  private tell(messagesLeft: number, statusesDropped: number): void {
    if (messagesLeft + statusesDropped === 0) return;
    this.deferred.inc(messagesLeft);
    this.dropped.inc(statusesDropped);
    this.logger.warn(
      { limit: MAX_UPDATES, messagesLeft, statusesDropped },
      'a WhatsApp notification holds more updates than are taken at once',
    );
  }
}
