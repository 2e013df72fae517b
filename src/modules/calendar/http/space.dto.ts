import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Field, type FieldOptions } from '../../../platform/http/field';
import { integer, oneOf, type Rule, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { parameter } from '../../../platform/http/parameter-rules';
import { ApiProperty, ApiSchema, REVISION } from '../../../platform/openapi/decorators';
import type { SpaceView } from '../domain/space';
import { EXAMPLE_SPACE_ID } from './calendar-ids';

const ARCHIVED = ['false', 'true', 'all'] as const;
const MAX_MINUTES = 7 * 24 * 60;

/** A space's fields, told once for what clients send and what they get. */
const FIELDS = {
  name: {
    rule: text(100),
    schema: { type: String, minLength: 1, maxLength: 100, example: 'Garden Pavilion' },
  },
  capacity: {
    rule: integer(1, 100_000),
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      description: 'How many guests fit.',
      example: 180,
    },
  },
  setupMinutes: {
    rule: integer(0, MAX_MINUTES),
    schema: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_MINUTES,
      default: 0,
      description:
        'How long before an event the space is needed already. Counts for what is booked or moved from then on.',
      example: 120,
    },
  },
  clearingMinutes: {
    rule: integer(0, MAX_MINUTES),
    schema: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_MINUTES,
      default: 0,
      description: 'How long after an event it is needed still.',
      example: 60,
    },
  },
} satisfies Record<string, { rule: Rule; schema: ApiPropertyOptions }>;

const field = (name: keyof typeof FIELDS, presence: FieldOptions['presence']) =>
  Field({ ...FIELDS[name], presence });
const shown = (name: keyof typeof FIELDS, extra: ApiPropertyOptions = {}) =>
  ApiProperty({ ...FIELDS[name].schema, ...extra });

export class CreateSpaceBody {
  @field('name', 'required') name!: string;
  @field('capacity', 'nullable') capacity?: number | null;
  @field('setupMinutes', 'nullable') setupMinutes?: number | null;
  @field('clearingMinutes', 'nullable') clearingMinutes?: number | null;
}

/** Null clears `capacity`; the others are never without a value. */
export class UpdateSpaceBody {
  @field('name', 'optional') name?: string;
  @field('capacity', 'nullable') capacity?: number | null;
  @field('setupMinutes', 'optional') setupMinutes?: number;
  @field('clearingMinutes', 'optional') clearingMinutes?: number;
}

export class ListSpacesQuery extends PageQuery {
  @Field({
    rule: parameter(oneOf(ARCHIVED)),
    presence: 'optional',
    schema: {
      enum: [...ARCHIVED],
      default: 'false',
      description: '`true`: archived spaces alone; `all`: both.',
    },
  })
  archived?: (typeof ARCHIVED)[number];
}

@ApiSchema({ name: 'Space' })
export class SpaceResponse implements Record<keyof SpaceView, unknown> {
  @ApiProperty({ example: EXAMPLE_SPACE_ID }) id!: string;
  @shown('name') name!: string;
  @shown('capacity', { nullable: true }) capacity!: number | null;
  @shown('setupMinutes') setupMinutes!: number;
  @shown('clearingMinutes') clearingMinutes!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Set while the space is archived.',
    example: null,
  })
  archivedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
