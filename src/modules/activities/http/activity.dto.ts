import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { oneOf, plannableInstant, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import {
  ACTIVITY_TYPES,
  type ActivityType,
  type ActivityView,
  type Author,
  type Direction,
  DIRECTIONS,
  MAX_TEXT,
} from '../domain/activity';

export const LEAD = new PathId('lead', 'lead');
export const ACTIVITY = new PathId('act', 'activity');

const AUTHOR_TYPES: Author['type'][] = ['api_key', 'oauth', 'user', 'operator'];

const { field, shown } = resourceFields({
  type: { rule: oneOf(ACTIVITY_TYPES), example: 'call' },
  direction: {
    rule: oneOf(DIRECTIONS),
    description: '`in`: from the lead. `out`: to the lead. Null where there is none, as for a note.',
    example: 'in',
  },
  text: { rule: text(MAX_TEXT), description: 'Plain text.', example: 'Asked whether dogs are welcome.' },
  at: {
    rule: plannableInstant,
    description: 'When it took place: by default now, and at most 5 minutes ahead.',
    example: '2026-01-15T09:20:00.000Z',
  },
  externalId: {
    rule: text(200),
    description:
      'The id in the system that logs it. Unique for the lead: logging it again returns what was logged and changes nothing.',
    example: 'call-8812',
  },
});

export class LogActivityBody {
  @field('type', 'required') type!: ActivityType;
  @field('text', 'required') text!: string;
  @field('direction', 'nullable') direction?: Direction | null;
  @field('at', 'nullable') at?: string | null;
  @field('externalId', 'nullable') externalId?: string | null;
}

/** Null clears `direction`; the other fields always have a value. */
export class UpdateActivityBody {
  @field('type', 'optional') type?: ActivityType;
  @field('text', 'optional') text?: string;
  @field('direction', 'nullable') direction?: Direction | null;
  @field('at', 'optional') at?: string;
}

export class ListActivitiesQuery extends PageQuery {
  @QueryParameter({ rule: oneOf(ACTIVITY_TYPES), description: 'Of that type.' }) type?: ActivityType;
}

@ApiSchema({ name: 'Author', description: 'Who did it.' })
class AuthorResponse implements Record<keyof Author, unknown> {
  @ApiProperty({ enum: AUTHOR_TYPES, example: 'api_key' }) type!: Author['type'];
  @ApiProperty({ type: String, nullable: true, example: 'key_01h455vb4pex5vsknk084sn02q' })
  id!: string | null;
  @ApiProperty({ description: 'The name of a key or app, or a person’s email.', example: 'Phone system' })
  name!: string;
}

@ApiSchema({ name: 'Activity' })
export class ActivityResponse implements Record<keyof ActivityView, unknown> {
  @ApiProperty({ example: ACTIVITY.example }) id!: string;
  @ApiProperty({ example: LEAD.example }) leadId!: string;
  @shown('type') type!: ActivityType;
  @shown('direction', { nullable: true }) direction!: Direction | null;
  @shown('text') text!: string;
  @shown('at') at!: Date;
  @shown('externalId', { nullable: true }) externalId!: string | null;
  @ApiProperty() author!: AuthorResponse;
  @ApiProperty({ ...TIME_OR_NULL, description: 'When it was last changed.' }) editedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
