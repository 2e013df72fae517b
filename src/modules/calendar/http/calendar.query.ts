import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId, SpaceId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import { date, idOf, oneOf, rule } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { QueryParameter, wholeNumber } from '../../../platform/http/query-parameter';
import type {
  AvailabilityAnswer,
  AvailabilityInput,
  EventFilter,
  EventSortField,
} from '../application/calendar-queries';
import {
  AVAILABILITIES,
  type Availability,
  type DayAvailability,
  type SpaceOnDay,
} from '../domain/availability';
import { EVENT_STATUSES, EVENT_TYPES, type EventStatus, type EventType } from '../domain/calendar-event';
import { PLANNABLE_DAY, timeOrDay } from './calendar-event.dto';
import { EVENT, SPACE } from './calendar-ids';

const STATUSES = [...EVENT_STATUSES, 'all'] as const;
const MAX_GUESTS = 100_000;

const plannableDay = rule(
  { type: 'string', format: 'date', pattern: `^${PLANNABLE_DAY}$` },
  (value) => date(value) ?? timeOrDay(value),
);

export class ListEventsQuery extends PageQuery {
  @QueryParameter({
    rule: timeOrDay,
    presence: 'required',
    description: 'From that RFC 3339 time, or the beginning of that day in the workspace’s time zone.',
    example: '2027-06-01',
  })
  from!: string;

  @QueryParameter({
    rule: timeOrDay,
    presence: 'required',
    description: 'Up to that time, or the end of that day. At most 366 days in all.',
    example: '2027-06-30',
  })
  to!: string;

  @QueryParameter({ rule: oneOf(EVENT_TYPES), description: 'Of that type.' }) type?: EventType;

  @QueryParameter({
    rule: oneOf(STATUSES),
    default: 'confirmed',
    description: '`cancelled`: cancelled events alone; `all`: both.',
  })
  status?: EventStatus | 'all';

  @QueryParameter({ rule: idOf('space'), description: 'In that space.' }) spaceId?: string;
  @QueryParameter({ rule: idOf('lead'), description: 'Of that lead.' }) leadId?: string;
}

export function toEventList({
  from,
  to,
  type,
  status = 'confirmed',
  spaceId,
  leadId,
  ...page
}: ListEventsQuery): {
  range: { from: string; to: string };
  filter: EventFilter;
  request: PageRequest<EventSortField>;
} {
  const range = { from, to };
  const filter: EventFilter = {
    type,
    status: status === 'all' ? undefined : status,
    spaceId: spaceId as SpaceId | undefined,
    leadId: leadId as LeadId | undefined,
  };
  const request = toPageRequest(page, {
    list: 'calendar-events',
    filters: { range, filter },
    sort: { field: 'startsAt', descending: false },
    kind: 'instant',
    idPrefix: 'cal',
  });
  return { range, filter, request };
}

export class AvailabilityQuery {
  @QueryParameter({
    rule: plannableDay,
    presence: 'required',
    description: 'The first day.',
    example: '2027-06-12',
  })
  from!: string;

  @QueryParameter({
    rule: plannableDay,
    presence: 'required',
    description: 'The last day. At most 366 days in all.',
    example: '2027-06-12',
  })
  to!: string;

  @QueryParameter({ rule: idOf('space'), description: 'That space alone.' }) spaceId?: string;

  @QueryParameter({
    rule: wholeNumber(MAX_GUESTS),
    description: 'Says of each space whether that many guests fit.',
  })
  guests?: string;
}

export function toAvailabilityInput({ from, to, spaceId, guests }: AvailabilityQuery): AvailabilityInput {
  return {
    from,
    to,
    spaceId: spaceId as SpaceId | undefined,
    guests: guests === undefined ? undefined : Number(guests),
  };
}

@ApiSchema({ name: 'SpaceOnDay' })
class SpaceOnDayResponse implements Record<keyof SpaceOnDay, unknown> {
  @ApiProperty({ example: SPACE.example }) spaceId!: string;
  @ApiProperty({ example: 'Garden Pavilion' }) name!: string;
  @ApiProperty({
    enum: [...AVAILABILITIES],
    description:
      'What most stands against an event there on some part of the day: `booked` (an event or a block, with set-up and clearing), `held`, `visit_only`, or nothing.',
    example: 'booked',
  })
  status!: Availability;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether the guests fit; null without `guests`, or when the capacity isn’t known.',
    example: null,
  })
  fits!: boolean | null;
  @ApiProperty({ type: [String], description: 'What is planned there.', example: [EVENT.example] })
  eventIds!: string[];
  @ApiProperty({
    type: [String],
    description: 'The live ranked holds on some part of the day, the first in the queue first.',
    example: [],
  })
  holdIds!: string[];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    description:
      'The rank that a hold for the whole day would get; null when it would be refused, since the day is booked or the queue is full.',
    example: null,
  })
  nextRank!: number | null;
}

@ApiSchema({ name: 'DayAvailability' })
class DayAvailabilityResponse implements Record<keyof DayAvailability, unknown> {
  @ApiProperty({ format: 'date', example: '2027-06-12' }) date!: string;
  @ApiProperty({ type: [SpaceOnDayResponse] }) spaces!: SpaceOnDayResponse[];
}

@ApiSchema({ name: 'Availability' })
export class AvailabilityResponse implements Record<keyof AvailabilityAnswer, unknown> {
  @ApiProperty({ description: 'The workspace’s, whose days these are.', example: 'Europe/Madrid' })
  timeZone!: string;
  @ApiProperty({ type: [DayAvailabilityResponse] }) days!: DayAvailabilityResponse[];
}
