import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { integer, oneOf, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import type { SpaceView } from '../domain/space';
import { SPACE } from './calendar-ids';

const ARCHIVED = ['false', 'true', 'all'] as const;
const MAX_MINUTES = 7 * 24 * 60;

const { field, shown } = resourceFields({
  name: { rule: text(100), example: 'Garden Pavilion' },
  capacity: { rule: integer(1, 100_000), description: 'How many guests fit.', example: 180 },
  setupMinutes: {
    rule: integer(0, MAX_MINUTES),
    default: 0,
    description:
      'How long before an event the space is needed already. Counts for what is booked or moved from then on.',
    example: 120,
  },
  clearingMinutes: {
    rule: integer(0, MAX_MINUTES),
    default: 0,
    description: 'How long after an event it is needed still.',
    example: 60,
  },
});

export class CreateSpaceBody {
  @field('name', 'required') name!: string;
  @field('capacity', 'nullable') capacity?: number | null;
  @field('setupMinutes', 'nullable') setupMinutes?: number | null;
  @field('clearingMinutes', 'nullable') clearingMinutes?: number | null;
}

/** Null clears `capacity`; the other fields always have a value. */
export class UpdateSpaceBody {
  @field('name', 'optional') name?: string;
  @field('capacity', 'nullable') capacity?: number | null;
  @field('setupMinutes', 'optional') setupMinutes?: number;
  @field('clearingMinutes', 'optional') clearingMinutes?: number;
}

export class ListSpacesQuery extends PageQuery {
  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'false',
    description: '`true`: archived spaces alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];
}

@ApiSchema({ name: 'Space' })
export class SpaceResponse implements Record<keyof SpaceView, unknown> {
  @ApiProperty({ example: SPACE.example }) id!: string;
  @shown('name') name!: string;
  @shown('capacity', { nullable: true }) capacity!: number | null;
  @shown('setupMinutes') setupMinutes!: number;
  @shown('clearingMinutes') clearingMinutes!: number;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the space is archived.' }) archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
