import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId, SpaceId } from '../../../kernel/ids';
import { Check, type CheckOptions } from '../../../platform/http/check';
import { resourceFields } from '../../../platform/http/field';
import { idOf, integer, plannableInstant, text } from '../../../platform/http/field-rules';
import { exampleId, PathId } from '../../../platform/http/path-id';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { spaces, spacesOnce, timeOrDay, times, timeZone, trueOrFalse } from '../../calendar';
import {
  ENDED_REASONS,
  type EndedReason,
  HOLD_STATUSES,
  type HoldStatus,
  MAX_GROUP_NAME,
  MAX_NOTES,
  MAX_TITLE,
} from '../domain/hold';
import type { HoldView } from '../domain/hold-view';

export const HOLD = new PathId('hold', 'hold');
export const LEAD = new PathId('lead', 'lead');
export const SPACE = new PathId('space', 'space');

const { field, shown } = resourceFields({
  title: { rule: text(MAX_TITLE), example: 'Wedding of Ana and Luis' },
  leadId: { rule: idOf('lead'), description: 'For whom it is.', example: LEAD.example },
  spaceId: {
    rule: idOf('space'),
    description: 'The space, or the first of several.',
    example: SPACE.example,
  },
  spaceIds: { rule: spaces, description: 'All its spaces, at most 20.', example: [SPACE.example] },
  startsAt: {
    rule: timeOrDay,
    description: 'An RFC 3339 time; of whole days the first day, `YYYY-MM-DD`.',
    example: '2027-06-12T16:00:00.000Z',
  },
  endsAt: {
    rule: timeOrDay,
    description:
      'The first moment after it; of whole days the day after the last. When absent: an hour after `startsAt`, or the end of that day.',
    example: '2027-06-13T01:00:00.000Z',
  },
  timeZone: {
    rule: timeZone,
    description: 'tz database name. When absent: the workspace’s.',
    example: 'Europe/Madrid',
  },
  allDay: {
    rule: trueOrFalse,
    description: 'Takes whole days of its time zone. When absent: whether `startsAt` is a day.',
    example: false,
  },
  guests: { rule: integer(1, 100_000), example: 120 },
  notes: { rule: text(MAX_NOTES), description: 'Plain text.', example: 'Prefers the garden.' },
  group: {
    rule: text(MAX_GROUP_NAME),
    description:
      'A name of your choice that the alternatives of one booking share, at most 20 live ones. When one is confirmed, the others end.',
    example: 'ana-and-luis',
  },
  expiresAt: {
    rule: timeOrDay,
    description:
      'When it ends by itself, at the latest at `startsAt`: an RFC 3339 time, or a day of the workspace, which means its end. When absent: by the policy.',
    example: '2027-01-29T09:30:00.000Z',
  },
});

interface NamedSpaces {
  spaceId?: string | null;
  spaceIds?: string[] | null;
}

/** A hold asks for a space at least. */
const someSpace: CheckOptions<NamedSpaces> = {
  fields: ['spaceId', 'spaceIds'],
  problems: ({ spaceId, spaceIds }) =>
    (spaceId ?? spaceIds?.[0]) === undefined
      ? [{ field: spaceIds ? 'spaceIds' : 'spaceId', message: 'is required: a hold asks for a space' }]
      : [],
};

/** Spaces can be replaced, and not be taken away. */
const noEmptySpaces: CheckOptions<NamedSpaces> = {
  fields: ['spaceIds'],
  problems: ({ spaceIds }) =>
    spaceIds?.length === 0 ? [{ field: 'spaceIds', message: 'must name a space at least' }] : [],
};

@Check(times)
@Check(spacesOnce)
@Check(someSpace)
export class PlaceHoldBody {
  @field('title', 'required') title!: string;
  @field('startsAt', 'required') startsAt!: string;
  @field('endsAt', 'nullable') endsAt?: string | null;
  @field('timeZone', 'nullable') timeZone?: string | null;
  @field('allDay', 'nullable') allDay?: boolean | null;
  @field('spaceId', 'nullable') spaceId?: SpaceId | null;
  @field('spaceIds', 'nullable') spaceIds?: SpaceId[] | null;
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('group', 'nullable') group?: string | null;
  @field('expiresAt', 'nullable') expiresAt?: string | null;
}

/** Null clears a field that a hold may lack. */
@Check(times)
@Check(spacesOnce)
@Check(noEmptySpaces)
export class UpdateHoldBody {
  @field('title', 'optional') title?: string;
  @field('startsAt', 'optional') startsAt?: string;
  @field('endsAt', 'optional') endsAt?: string;
  @field('timeZone', 'optional') timeZone?: string;
  @field('allDay', 'optional') allDay?: boolean;
  @field('spaceId', 'optional') spaceId?: SpaceId;
  @field('spaceIds', 'optional') spaceIds?: SpaceId[];
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('group', 'nullable') group?: string | null;
  @field('expiresAt', 'optional') expiresAt?: string;
}

const act = resourceFields({
  overHolds: {
    rule: trueOrFalse,
    description: 'Confirms it although others are ahead, which end. The audit log records it.',
    example: false,
  },
  deadline: {
    rule: plannableInstant,
    description:
      'By when each hold ahead has to be confirmed or released: an hour (in test mode a second) to 30 days from now. When absent: by the policy.',
    example: '2027-01-17T09:30:00.000Z',
  },
});

export class ConfirmHoldBody {
  @act.field('overHolds', 'optional') overHolds?: boolean;
}

export class ChallengeHoldBody {
  @act.field('deadline', 'nullable') deadline?: string | null;
}

@ApiSchema({ name: 'Hold' })
export class HoldResponse implements Record<keyof HoldView, unknown> {
  @ApiProperty({ example: HOLD.example }) id!: string;
  @shown('title') title!: string;
  @shown('leadId', { nullable: true }) leadId!: string | null;
  @shown('spaceId') spaceId!: string;
  @shown('spaceIds') spaceIds!: string[];
  @shown('startsAt') startsAt!: string;
  @shown('endsAt') endsAt!: string;
  @shown('allDay') allDay!: boolean;
  @shown('timeZone') timeZone!: string;
  @shown('guests', { nullable: true }) guests!: number | null;
  @shown('notes', { nullable: true }) notes!: string | null;
  @shown('group', { nullable: true, example: null }) group!: string | null;
  @ApiProperty({ enum: [...HOLD_STATUSES], example: 'active' }) status!: HoldStatus;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    description: 'The place in the queue: 1, and one more for each hold ahead. Null once it has ended.',
    example: 1,
  })
  rank!: number | null;
  @ApiProperty({
    type: [String],
    nullable: true,
    description:
      'The live holds that were placed earlier and overlap it in a space, with set-up and clearing; the first in the queue first. Null once it has ended.',
    example: [],
  })
  ahead!: string[] | null;
  @ApiProperty({ ...TIME, description: 'When it ends by itself.', example: '2027-01-29T09:30:00.000Z' })
  expiresAt!: Date;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Because of a challenge: by when it has to be confirmed or released, or it ends.',
  })
  answerBy!: Date | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'While it challenges the holds ahead: the deadline of its challenge.',
  })
  challengeDeadline!: Date | null;
  @ApiProperty({ type: [String], description: 'The holds that challenge it.', example: [] })
  challengedBy!: string[];
  @ApiProperty({
    type: String,
    enum: [...ENDED_REASONS],
    nullable: true,
    description: 'Why it ended without being confirmed.',
    example: null,
  })
  endedReason!: EndedReason | null;
  @ApiProperty({
    description:
      'The calendar event beside it: of type `hold`, then `event` once it is confirmed, or cancelled.',
    example: exampleId('cal'),
  })
  calendarEventId!: string;
  @ApiProperty({ ...TIME, description: 'When it took its place in the queue.' }) placedAt!: Date;
  @ApiProperty(TIME_OR_NULL) endedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
