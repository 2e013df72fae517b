import type { CalendarEventId, HoldId, SpaceId } from '../../../kernel/ids';
import type { EndedReason, Hold, HoldDetails, HoldStatus } from './hold';

/** A hold as the API and events contain it. `startsAt` and `endsAt` of whole days are dates. */
export interface HoldView extends HoldDetails {
  id: HoldId;
  spaceId: SpaceId;
  spaceIds: SpaceId[];
  startsAt: Date | string;
  endsAt: Date | string;
  timeZone: string;
  allDay: boolean;
  status: HoldStatus;
  /** From 1; null once it has ended. */
  rank: number | null;
  /** First in the queue first; null once it has ended. */
  ahead: HoldId[] | null;
  expiresAt: Date;
  answerBy: Date | null;
  /** While it challenges all ahead. */
  challengeDeadline: Date | null;
  challengedBy: HoldId[];
  endedReason: EndedReason | null;
  calendarEventId: CalendarEventId;
  placedAt: Date;
  endedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

/** Where a hold stands among others. */
export interface Standing {
  readonly ahead: readonly HoldId[];
  readonly challengedBy: readonly HoldId[];
}

export function holdView(hold: Hold, { ahead, challengedBy }: Standing): HoldView {
  const { id, title, leadId, guests, notes, group, spaceIds, timeZone, startDay, endDay } = hold;
  const { status, expiresAt, answerBy, challengeDeadline, endedReason, calendarEventId, placedAt, endedAt } =
    hold;
  return {
    ...{ id, title, leadId, spaceId: spaceIds[0]!, spaceIds },
    startsAt: startDay ?? hold.startsAt,
    endsAt: endDay ?? hold.endsAt,
    ...{ timeZone, allDay: startDay !== null, guests, notes, group, status },
    rank: hold.isLive ? ahead.length + 1 : null,
    ahead: hold.isLive ? [...ahead] : null,
    ...{ expiresAt, answerBy, challengeDeadline, challengedBy: [...challengedBy] },
    ...{ endedReason, calendarEventId },
    ...{ placedAt, endedAt, createdAt: hold.createdAt, updatedAt: hold.updatedAt, revision: hold.revision },
  };
}
