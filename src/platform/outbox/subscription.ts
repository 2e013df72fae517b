import type { QueryRunner } from 'typeorm';

const NAME = /^[a-z][a-z0-9_]{0,40}$/;
const EVENT_TYPE = /^[a-z][a-z0-9_]*\.[a-z0-9_]+$/;

/** A trigger that queues events for a subscriber is named with this prefix and the subscriber's name. */
export const TRIGGER_PREFIX = 'subscriber_';

/**
 * Subscribes to event types, in a migration of the subscriber's module. Each later event of these types is queued in the
 * transaction that appends it.
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
  await runner.query(`
    CREATE TRIGGER ${trigger} AFTER INSERT ON events FOR EACH ROW
    WHEN (NEW.type IN (${eventTypes.map((type) => `'${type}'`).join(', ')}))
    EXECUTE FUNCTION queue_for_subscriber('${subscriber}')`);
}

/** Reverts `createSubscription`, and deletes the queued events. */
export async function dropSubscription(runner: QueryRunner, subscriber: string): Promise<void> {
  await runner.query(`DROP TRIGGER ${triggerOf(subscriber)} ON events`);
  await runner.query(`DELETE FROM subscriber_events WHERE subscriber = $1`, [subscriber]);
}

function triggerOf(subscriber: string): string {
  if (!NAME.test(subscriber)) {
    throw new Error(`A subscriber’s name is lower-case letters, digits and _, not "${subscriber}".`);
  }
  return TRIGGER_PREFIX + subscriber;
}
