import type { QueryRunner } from 'typeorm';

const NAME = /^[a-z][a-z0-9_]{0,40}$/;
const EVENT_TYPE = /^[a-z][a-z0-9_]*\.[a-z0-9_]+$/;

/** Before the name of a subscriber: the trigger that queues events for it. */
export const TRIGGER_PREFIX = 'subscriber_';

/**
 * For the migration of a module that subscribes: from now on an event of one of these types is queued for the
 * subscriber in the transaction that appends it. Those before are not.
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

/** Its counterpart. What was queued and not handled yet is forgotten. */
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
