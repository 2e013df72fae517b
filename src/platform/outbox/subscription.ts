import type { QueryRunner } from 'typeorm';
import { inShortLock } from '../persistence/short-lock';
import type { Query } from '../persistence/with-connection';

const NAME = /^[a-z][a-z0-9_]{0,40}$/;
const EVENT_TYPE = /^[a-z][a-z0-9_]*\.[a-z0-9_]+$/;

/** A trigger that queues events for a subscriber is named with this prefix and the subscriber's name. */
export const TRIGGER_PREFIX = 'subscriber_';

/**
 * Subscribes to event types, in a migration of the subscriber's module. Each later event of these types is queued in the
 * transaction that appends it. Call it last: no event can be appended until the migration's transaction ends.
 *
 * @throws Error if long transactions keep `events` locked
 */
export async function createSubscription(
  runner: QueryRunner,
  subscriber: string,
  eventTypes: readonly string[],
): Promise<void> {
  const trigger = triggerOf(subscriber);
  const wrong = eventTypes.find((type) => !EVENT_TYPE.test(type));
  if (wrong !== undefined || eventTypes.length === 0) {
    throw new Error(
      `${subscriber} must name the types of its events, such as lead.created; not "${wrong ?? ''}".`,
    );
  }
  await inShortLock(runner, [
    `CREATE TRIGGER ${trigger} AFTER INSERT ON events FOR EACH ROW
     WHEN (NEW.type IN (${eventTypes.map((type) => `'${type}'`).join(', ')}))
     EXECUTE FUNCTION queue_for_subscriber('${subscriber}')`,
  ]);
}

/**
 * Reverts `createSubscription`, and deletes the queued events.
 *
 * @throws Error if long transactions keep `events` locked
 */
export async function dropSubscription(runner: QueryRunner, subscriber: string): Promise<void> {
  const { dropTrigger, deleteQueue } = statementsToDrop(subscriber);
  // First, because `events` then stays locked until the migration's transaction ends. A second time for later events.
  await runner.query(deleteQueue);
  await inShortLock(runner, [dropTrigger]);
  await runner.query(deleteQueue);
}

function statementsToDrop(subscriber: string) {
  return {
    dropTrigger: `DROP TRIGGER ${triggerOf(subscriber)} ON events`,
    deleteQueue: `DELETE FROM subscriber_events WHERE subscriber = '${subscriber}'`,
  };
}

/** More are not counted: without its subscriber, a subscription may have queued events for months. */
const MOST_COUNTED = 10_000;

export interface Subscription {
  readonly subscriber: string;
  /** Its queued events, at most 10,000. */
  readonly waiting: number;
  /**
   * The SQL that does what `dropSubscription` does, as two commands. In one transaction, they would keep `events` locked while
   * months of events are deleted from the queue.
   */
  readonly sqlToDrop: readonly [dropTrigger: string, deleteQueue: string];
}

/** The subscriptions in a database, in the order of their names; none before it has the schema. */
export async function readSubscriptions(query: Query): Promise<Subscription[]> {
  const [schema] = await query<{ isThere: boolean }>({
    text: `SELECT to_regclass('subscriber_events') IS NOT NULL AS "isThere"`,
    values: [],
  });
  if (!schema!.isThere) return [];
  const rows = await query<{ subscriber: string; waiting: number }>({
    text: `
      SELECT subscriber, (
        SELECT count(*)::int FROM (
          SELECT FROM subscriber_events e WHERE e.subscriber = s.subscriber LIMIT $2
        ) queued
      ) AS waiting
      FROM (
        SELECT substr(tgname::text, length($1::text) + 1) AS subscriber FROM pg_trigger
        WHERE tgrelid = 'events'::regclass AND NOT tgisinternal AND starts_with(tgname::text, $1)
      ) s
      ORDER BY subscriber`,
    values: [TRIGGER_PREFIX, MOST_COUNTED],
  });
  return rows
    .filter(({ subscriber }) => NAME.test(subscriber))
    .map((row) => {
      const { dropTrigger, deleteQueue } = statementsToDrop(row.subscriber);
      return { ...row, sqlToDrop: [`SET lock_timeout = '500ms'; ${dropTrigger};`, `${deleteQueue};`] };
    });
}

function triggerOf(subscriber: string): string {
  if (!NAME.test(subscriber)) {
    throw new Error(`A subscriber’s name is lower-case letters, digits and _, not "${subscriber}".`);
  }
  return TRIGGER_PREFIX + subscriber;
}
