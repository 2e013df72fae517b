import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { HeldSpaces } from '../../calendar';
import type { HoldQueue } from '../domain/hold-queue';
import type { HoldRepository } from './hold-repository';

/** Writes what acts changed in a queue, and cancels the calendar events of holds that ended unconfirmed. */
export async function saveQueue(
  holds: HoldRepository,
  spaces: HeldSpaces,
  ref: WorkspaceRef,
  queue: HoldQueue,
  events: readonly DomainEvent[],
): Promise<void> {
  const { changes } = queue;
  if (changes.length === 0) return;
  await holds.save(ref, changes, events);
  const ended = changes.filter(({ status }) => status === 'released' || status === 'expired');
  await spaces.cancel(
    ref,
    ended.map(({ calendarEventId, endedAt }) => ({ id: calendarEventId, at: endedAt! })),
  );
}
