import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { CauseType } from '../../kernel/cause';
import type { RecordedEvent } from '../../kernel/domain-event';
import { fromUuid } from '../../kernel/ids';
import type { Mode } from '../../kernel/principal';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { Metrics } from '../health/metrics';
import { BackgroundJobs } from '../jobs/background-jobs';
import { WorkLoop } from '../jobs/work-loop';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { Database } from '../persistence/database';
import { TRIGGER_PREFIX } from './subscription';

/** The delay after a failure, doubled each time up to an hour. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 3_600_000;

/** Code within the service that reacts to events. */
export interface EventSubscriber {
  /** The name of its subscription in a migration. */
  readonly name: string;
  /**
   * Handles one event, in the unit of work that removes it from the queue. So writes to the database happen once. Other
   * effects, such as HTTP calls, may be repeated: recognise repetitions by the event's id. Events may come out of order.
   * When this throws, nothing is written and the event is retried with growing delays, for as long as events are kept.
   * Instants in `data` and `previous` are text, as in webhooks.
   */
  handle(event: RecordedEvent): Promise<void>;
}

interface Row {
  workspace_id: string;
  mode: Mode;
  event_id: string;
  attempts: number;
  /** Null when the event has expired and was deleted. */
  type: string | null;
  occurred_at: Date;
  data: object;
  previous: object | null;
  cause_type: CauseType;
  cause_id: string | null;
}

/** Passes events to their subscribers. Each has its own queue, so that a failing or slow one delays no other. */
@Injectable()
export class EventSubscribers implements OnApplicationBootstrap {
  private readonly subscribers: EventSubscriber[] = [];
  private readonly failures;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.failures = metrics.counter({
      name: 'gala_subscriber_failures_total',
      help: 'Times that a subscriber within the service failed to handle an event.',
      labelNames: ['subscriber'],
    });
  }

  /** Call it in a module's constructor. */
  add(subscriber: EventSubscriber): void {
    if (this.subscribers.some(({ name }) => name === subscriber.name)) {
      throw new Error(
        `The event subscriber ${subscriber.name} is added twice. Give each its own name, and a subscription in a migration.`,
      );
    }
    this.subscribers.push(subscriber);
    this.jobs.register(
      new WorkLoop(
        () => this.handleNext(subscriber),
        (error) => this.logger.warn(describeError(error), 'events of a subscriber could not be read'),
      ),
    );
  }

  get names(): string[] {
    return this.subscribers.map(({ name }) => name);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.subscribers.length === 0 || !this.database.isConnected) return;
    await this.refuseUnsubscribed();
    this.measure();
  }

  /** A subscriber without a trigger would never get an event, and nobody would notice. */
  private async refuseUnsubscribed(): Promise<void> {
    const triggers = await this.database.query<{ name: string }>({
      text: `SELECT tgname AS name FROM pg_trigger WHERE tgrelid = 'events'::regclass AND NOT tgisinternal`,
      values: [],
    });
    const subscribed = new Set(triggers.map(({ name }) => name));
    const missing = this.subscribers.find(({ name }) => !subscribed.has(TRIGGER_PREFIX + name));
    if (missing) {
      throw new Error(
        `The event subscriber ${missing.name} has no subscription in the database: call createSubscription in a migration of its module.`,
      );
    }
  }

  private measure(): void {
    const { database, subscribers } = this;
    const waiting = this.metrics.gauge({
      name: 'gala_subscriber_events_waiting',
      help: 'Events that a subscriber within the service has yet to handle.',
      labelNames: ['subscriber'],
      async collect() {
        const rows = await database.query<{ subscriber: string; waiting: number }>({
          text: `SELECT subscriber, count(*)::int AS waiting FROM subscriber_events GROUP BY subscriber`,
          values: [],
        });
        const counts = new Map(rows.map((row) => [row.subscriber, row.waiting]));
        for (const { name } of subscribers) waiting.set({ subscriber: name }, counts.get(name) ?? 0);
      },
    });
  }

  private async handleNext(subscriber: EventSubscriber): Promise<number> {
    let row: Row | undefined;
    try {
      await this.unitOfWork.run(async () => {
        row = await this.take(subscriber.name);
        if (row && row.type !== null) await subscriber.handle(toEvent(row, row.type));
      });
    } catch (error) {
      if (!row) throw error;
      this.failures.inc({ subscriber: subscriber.name });
      const event = fromUuid('evt', row.event_id);
      const about = { subscriber: subscriber.name, event, attempts: row.attempts + 1 };
      this.logger.warn({ ...describeError(error), ...about }, 'a subscriber failed to handle an event');
      await this.postpone(subscriber.name, row);
    }
    return row ? 1 : 0;
  }

  /** Removes the next event from the queue; a rollback puts it back. */
  private async take(subscriber: string): Promise<Row | undefined> {
    const [row] = await this.database.query<Row>({
      text: `
        WITH taken AS (
          DELETE FROM subscriber_events WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM subscriber_events WHERE subscriber = $1 AND due_at <= $2
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
          )) RETURNING workspace_id, mode, event_id, attempts
        )
        SELECT taken.*, e.type, e.occurred_at, e.data, e.previous, e.cause_type, e.cause_id
        FROM taken LEFT JOIN events e
          ON (e.workspace_id, e.mode, e.id) = (taken.workspace_id, taken.mode, taken.event_id)`,
      values: [subscriber, this.clock.now()],
    });
    return row;
  }

  private async postpone(subscriber: string, { workspace_id, mode, event_id, attempts }: Row): Promise<void> {
    const delay = Math.min(FIRST_RETRY_MS * 2 ** attempts, LAST_RETRY_MS);
    await this.database.query({
      text: `UPDATE subscriber_events SET attempts = attempts + 1, due_at = $5
             WHERE workspace_id = $1 AND mode = $2 AND event_id = $3 AND subscriber = $4`,
      values: [workspace_id, mode, event_id, subscriber, new Date(this.clock.now().getTime() + delay)],
    });
  }
}

function toEvent(row: Row, type: string): RecordedEvent {
  return {
    id: fromUuid('evt', row.event_id),
    type,
    workspace: { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode },
    timestamp: row.occurred_at,
    data: row.data,
    previous: row.previous,
    cause: { type: row.cause_type, id: row.cause_id },
  };
}
