import type { SpaceId } from '../../../kernel/ids';
import { Policies, type Policy, type PolicyContext } from '../../../kernel/policies';
import type { CalendarEventView } from '../domain/calendar-event';
import type { EventChangeInput, EventInput } from './event-input';
import type { SpaceInput } from './linked-records';

/** Spaces are always a list, in whichever field the caller named them. */
type WithSpaceIds<Input> = Omit<Input, 'spaces'> & { spaceIds?: SpaceId[] };

/** An event, visit, hold or block that is to be planned. A field that isn't given is absent. */
export interface CalendarEventCreation extends PolicyContext {
  readonly fields: Readonly<WithSpaceIds<EventInput>>;
}

/** A change of a calendar event, whose row is locked. Cancelling it and restoring it change its `status`. */
export interface CalendarEventChange extends PolicyContext {
  /** As it is before the change. */
  readonly event: CalendarEventView;
  /** The fields that are given; null clears one. */
  readonly changes: Readonly<WithSpaceIds<EventChangeInput>>;
}

export type CalendarEventPolicy = Policy<CalendarEventCreation, CalendarEventChange>;

/** The rules of other teams for calendar events. */
export class CalendarEventPolicies extends Policies<CalendarEventCreation, CalendarEventChange> {}

/** Has policies decide on an input. Problems with spaces that they left alone name the caller's field. */
export async function decide<Input extends { spaces?: SpaceInput }>(
  { spaces, ...rest }: Input,
  ask: (fields: WithSpaceIds<Input>) => Promise<WithSpaceIds<Input>>,
): Promise<Input> {
  const given = { ...rest, ...(spaces && { spaceIds: [...spaces.ids] }) } as WithSpaceIds<Input>;
  const { spaceIds, ...decided } = await ask(given);
  const isSame = JSON.stringify(spaceIds) === JSON.stringify(spaces?.ids);
  const others = spaceIds && { field: 'spaceIds' as const, ids: spaceIds };
  return { ...decided, spaces: isSame ? spaces : others } as unknown as Input;
}
