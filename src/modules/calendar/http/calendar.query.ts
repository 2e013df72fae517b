import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { PageRequest } from '../../../kernel/page';
import type { LeadId, SpaceId } from '../../../kernel/ids';
import { Field, type FieldOptions } from '../../../platform/http/field';
import { date, idOf, oneOf, type Rule, rule } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { parameter, wholeNumber } from '../../../platform/http/parameter-rules';
import { ApiProperty, ApiSchema } from '../../../platform/openapi/decorators';
import type { AvailabilityAnswer, AvailabilityInput, EventFilter } from '../application/calendar-queries';
import {
  AVAILABILITIES,
  type Availability,
  type DayAvailability,
  type SpaceOnDay,
} from '../domain/availability';
import { EVENT_STATUSES, EVENT_TYPES, type EventStatus, type EventType } from '../domain/calendar-event';
import { PLANNABLE_DAY, timeOrDay } from './calendar-event.dto';
import { EXAMPLE_EVENT_ID, EXAMPLE_SPACE_ID } from './calendar-ids';

const STATUSES = [...EVENT_STATUSES, 'all'] as const;
const MAX_GUESTS = 100_000;

const filter = (rule: Rule, schema: ApiPropertyOptions, presence: FieldOptions['presence'] = 'optional') =>
  Field({ rule: parameter(rule), presence, schema });

const plannableDay = rule(
  { format: 'date', pattern: `^${PLANNABLE_DAY}$` },
  (value) => date(value) ?? timeOrDay(value),
);

export class ListEventsQuery extends PageQuery {
  @filter(
    timeOrDay,
    {
      type: String,
      description: 'From that RFC 3339 time, or the beginning of that day in the workspace’s time zone.',
      example: '2027-06-01',
    },
    'required',
  )
  from!: string;

  @filter(
    timeOrDay,
    {
      type: String,
      description: 'Up to that time, or the end of that day. At most 366 days in all.',
      example: '2027-06-30',
    },
    'required',
  )
  to!: string;

  @filter(oneOf(EVENT_TYPES), { enum: [...EVENT_TYPES], description: 'Of that type.' }) type?: EventType;

  @filter(oneOf(STATUSES), {
    enum: [...STATUSES],
    default: 'confirmed',
    description: '`cancelled`: cancelled events alone; `all`: both.',
  })
  status?: EventStatus | 'all';

  @filter(idOf('space'), { type: String, description: 'In that space.' }) spaceId?: string;
  @filter(idOf('lead'), { type: String, description: 'Of that lead.' }) leadId?: string;
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
  request: PageRequest;
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
  @filter(
    plannableDay,
    { type: String, format: 'date', description: 'The first day.', example: '2027-06-12' },
    'required',
  )
  from!: string;

  @filter(
    plannableDay,
    {
      type: String,
      format: 'date',
      description: 'The last day. At most 366 days in all.',
      example: '2027-06-12',
    },
    'required',
  )
  to!: string;

  @filter(idOf('space'), { type: String, description: 'That space alone.' }) spaceId?: string;

  @filter(wholeNumber(MAX_GUESTS), { description: 'Says of each space whether that many guests fit.' })
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
  @ApiProperty({ example: EXAMPLE_SPACE_ID }) spaceId!: string;
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
  @ApiProperty({ type: [String], description: 'What is planned there.', example: [EXAMPLE_EVENT_ID] })
  eventIds!: string[];
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
