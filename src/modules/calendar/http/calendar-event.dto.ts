import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId, SpaceId } from '../../../kernel/ids';
import { isTimeZone } from '../../../kernel/time-zone';
import { Check } from '../../../platform/http/check';
import { resourceFields } from '../../../platform/http/field';
import {
  all,
  idOf,
  integer,
  listOf,
  MONTH_AND_DAY_PATTERN,
  oneOf,
  rule,
  text,
  TIME_PATTERN,
} from '../../../platform/http/field-rules';
import { REVISION, TIME } from '../../../platform/openapi/common-responses';
import {
  type CalendarEventView,
  EVENT_STATUSES,
  EVENT_TYPES,
  type EventStatus,
  type EventType,
} from '../domain/calendar-event';
import { isTimeOrDay, TIME_OR_DAY } from '../domain/schedule';
import { EVENT, LEAD, SPACE } from './calendar-ids';
import { spacesOnce, spacesOnceOrCleared, times, visitTimes } from './event-checks';

const MAX_SPACES = 20;

/** The pattern of a day in the range that can be planned. */
export const PLANNABLE_DAY = `(19|2[0-9])[0-9]{2}-${MONTH_AND_DAY_PATTERN}`;

export const timeOrDay = rule({ type: 'string', pattern: `^${PLANNABLE_DAY}(${TIME_PATTERN})?$` }, (value) =>
  typeof value === 'string' && isTimeOrDay(value) ? undefined : `must be ${TIME_OR_DAY}`,
);

export const timeZone = rule({ type: 'string', pattern: '^[A-Za-z0-9_+/-]+$' }, (value) =>
  typeof value === 'string' && isTimeZone(value)
    ? undefined
    : 'must be a tz database name such as Europe/Madrid',
);

export const trueOrFalse = rule({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false',
);

/** Duplicates are dropped. */
export const spaces = all(listOf(idOf('space'), 100), (value) =>
  new Set(value as string[]).size > MAX_SPACES ? `must be at most ${MAX_SPACES} spaces` : undefined,
);

const { field, shown } = resourceFields({
  type: {
    rule: oneOf(EVENT_TYPES),
    description:
      '`visit`: a lead looks at the venue. `event`: takes its spaces for itself. `hold`: keeps a time in mind for somebody, and may overlap anything. `block`: nothing can take place, and so takes its spaces too.',
    example: 'event',
  },
  title: { rule: text(300), example: 'Wedding of Ana and Luis' },
  description: { rule: text(5000), example: 'Dinner at eight, under the trees.' },
  startsAt: {
    rule: timeOrDay,
    description: 'An RFC 3339 time; of all-day events the first day, `YYYY-MM-DD`.',
    example: '2027-06-12T16:00:00.000Z',
  },
  endsAt: {
    rule: timeOrDay,
    description:
      'The first moment after it; of all-day events the day after the last. When absent: an hour after `startsAt`, or the end of that day. At most 366 days later.',
    example: '2027-06-13T01:00:00.000Z',
  },
  timeZone: {
    rule: timeZone,
    description: 'tz database name: where it takes place. When absent: the workspace’s.',
    example: 'Europe/Madrid',
  },
  allDay: {
    rule: trueOrFalse,
    description: 'Takes whole days of its time zone. When absent: whether `startsAt` is a day.',
    example: false,
  },
  location: { rule: text(300), description: 'Where, in words.', example: 'Gate 2, by the river' },
  spaceId: {
    rule: idOf('space'),
    description: 'The space, or the first of several.',
    example: SPACE.example,
  },
  spaceIds: { rule: spaces, description: 'All its spaces, at most 20.', example: [SPACE.example] },
  leadId: { rule: idOf('lead'), description: 'Whose it is.', example: LEAD.example },
  guests: { rule: integer(1, 100_000), example: 120 },
  status: {
    rule: oneOf(EVENT_STATUSES),
    description: 'A cancelled event takes no space; `confirmed` restores it, if its spaces are free still.',
    example: 'confirmed',
  },
  overHolds: {
    rule: trueOrFalse,
    description:
      'For an event or a block: ends the ranked holds that ask for its spaces at that time. Otherwise it is refused there.',
    example: false,
  },
});

/** Fields that events and visits share. */
class PlaceAndWords {
  @field('description', 'nullable') description?: string | null;
  @field('location', 'nullable') location?: string | null;
  @field('spaceId', 'nullable') spaceId?: SpaceId | null;
  @field('spaceIds', 'nullable') spaceIds?: SpaceId[] | null;
  @field('guests', 'nullable') guests?: number | null;
}

@Check(times)
@Check(spacesOnce)
export class CreateEventBody extends PlaceAndWords {
  @field('type', 'required') type!: EventType;
  @field('title', 'required') title!: string;
  @field('startsAt', 'required') startsAt!: string;
  @field('endsAt', 'nullable') endsAt?: string | null;
  @field('timeZone', 'nullable') timeZone?: string | null;
  @field('allDay', 'nullable') allDay?: boolean | null;
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('overHolds', 'optional') overHolds?: boolean;
}

@Check(visitTimes)
@Check(spacesOnce)
export class BookVisitBody extends PlaceAndWords {
  @field('startsAt', 'required') startsAt!: string;
  @field('endsAt', 'nullable') endsAt?: string | null;
  @field('timeZone', 'nullable') timeZone?: string | null;
  @field('title', 'nullable') title?: string | null;
}

/** Null clears a field that an event may lack. */
@Check(times)
@Check(spacesOnceOrCleared)
export class UpdateEventBody extends PlaceAndWords {
  @field('type', 'optional') type?: EventType;
  @field('title', 'optional') title?: string;
  @field('startsAt', 'optional') startsAt?: string;
  @field('endsAt', 'optional') endsAt?: string;
  @field('timeZone', 'optional') timeZone?: string;
  @field('allDay', 'optional') allDay?: boolean;
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('status', 'optional') status?: EventStatus;
  @field('overHolds', 'optional') overHolds?: boolean;
}

@ApiSchema({ name: 'CalendarEvent' })
export class CalendarEventResponse implements Record<keyof CalendarEventView, unknown> {
  @ApiProperty({ example: EVENT.example }) id!: string;
  @shown('type') type!: EventType;
  @shown('title') title!: string;
  @shown('description', { nullable: true }) description!: string | null;
  @shown('startsAt') startsAt!: string;
  @shown('endsAt') endsAt!: string;
  @shown('timeZone') timeZone!: string;
  @shown('allDay') allDay!: boolean;
  @shown('location', { nullable: true }) location!: string | null;
  @shown('spaceId', { nullable: true }) spaceId!: string | null;
  @shown('spaceIds') spaceIds!: string[];
  @shown('leadId', { nullable: true }) leadId!: string | null;
  @shown('guests', { nullable: true }) guests!: number | null;
  @shown('status') status!: EventStatus;
  @ApiProperty({
    type: 'integer',
    description: 'How often it was changed; calendar programs know the latest version by it.',
    example: 0,
  })
  sequence!: number;

  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
