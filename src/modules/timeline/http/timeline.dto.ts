import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../kernel/page';
import type { TimelineActor, TimelineEntry } from '../../../kernel/timeline';
import { exampleId } from '../../../platform/http/path-id';
import { QueryParameter, wholeNumber } from '../../../platform/http/query-parameter';
import { TIME } from '../../../platform/openapi/common-responses';
import type { TimelinePage } from '../application/lead-timeline';

const ACTOR_TYPES: TimelineActor['type'][] = ['api_key', 'oauth', 'user', 'operator', 'client', 'system'];

export class TimelineQuery {
  @QueryParameter({
    rule: wholeNumber(),
    default: DEFAULT_LIMIT,
    description: `The page size. More than ${MAX_LIMIT} is taken as ${MAX_LIMIT}.`,
  })
  limit?: string;

  @QueryParameter({ description: 'The `nextCursor` of the page before, of the same lead.' })
  cursor?: string;
}

@ApiSchema({ name: 'TimelineActor', description: 'Who did it; `client` is the lead, `system` Gala itself.' })
class ActorResponse implements Record<keyof TimelineActor, unknown> {
  @ApiProperty({ enum: ACTOR_TYPES, example: 'api_key' }) type!: TimelineActor['type'];
  @ApiProperty({ type: String, nullable: true, example: exampleId('key') }) id!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Phone system' }) name!: string | null;
}

@ApiSchema({ name: 'TimelineEntry' })
class EntryResponse implements Record<keyof TimelineEntry, unknown> {
  @ApiProperty({ ...TIME, description: 'When it happened, or takes place.' }) at!: Date;
  @ApiProperty({
    description:
      'What it is: `activity`, `task_completed`, `stage_changed`, `message`, `proposal_sent` (`_viewed`, `_accepted`, `_declined`, `_expired`, `_withdrawn`), `calendar_event`. More will be added.',
    example: 'activity',
  })
  type!: string;
  @ApiProperty({
    description:
      'The id of the object; of a `stage_changed`, a number padded with zeros. One object can have entries of several types.',
    example: exampleId('act'),
  })
  id!: string;
  @ApiProperty({ type: ActorResponse, nullable: true, description: 'Null when it wasn’t recorded.' })
  actor!: ActorResponse | null;
  @ApiProperty({ description: 'A line for people.', example: 'Call from the lead' }) summary!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'An outline of the object. Long texts are cut to 1,000 characters.',
    example: {
      type: 'call',
      direction: 'in',
      text: 'Asked whether dogs are welcome.',
      externalId: 'call-8812',
    },
  })
  data!: object;
}

@ApiSchema({ name: 'TimelinePagination' })
class PaginationResponse implements Record<keyof TimelinePage['pagination'], unknown> {
  @ApiProperty({ type: 'integer', description: 'The page size in use.', example: 20 }) limit!: number;
  @ApiProperty({ description: 'Whether earlier entries follow.', example: false }) hasNext!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For the parameter `cursor`; null on the last page.',
    example: null,
  })
  nextCursor!: string | null;
}

@ApiSchema({ name: 'Timeline' })
export class TimelineResponse implements Record<keyof TimelinePage, unknown> {
  @ApiProperty({ type: [EntryResponse] }) data!: EntryResponse[];
  @ApiProperty({
    type: [String],
    description:
      'The parts that the credential’s scopes don’t open, such as `messages` without `messages:read`.',
    example: ['messages'],
  })
  omitted!: string[];
  @ApiProperty() pagination!: PaginationResponse;
}
