import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../kernel/page';
import { QueryParameter, wholeNumber } from '../../../platform/http/query-parameter';
import type { Changes } from '../application/change-feed';
import { EventResponse } from './webhook.dto';

const EXAMPLE_POSITION = 'c1ZqN0k…';

export class ListChangesQuery {
  @QueryParameter({
    description:
      'The `position` of the last answer; `now` for a position alone, to start with events to come. By default the oldest event kept is the first.',
  })
  after?: string;

  @QueryParameter({
    description:
      'Event types, separated by commas: one such as `lead.created`, all of an object as `lead.*`, or all as `*`. By default all that the credential may read.',
  })
  types?: string;

  @QueryParameter({
    rule: wholeNumber(),
    default: DEFAULT_LIMIT,
    description: `How many events at most. More than ${MAX_LIMIT} is taken as ${MAX_LIMIT}.`,
  })
  limit?: string;
}

@ApiSchema({ name: 'Changes', description: 'Events, oldest first, and where the next ones begin.' })
export class ChangesResponse implements Record<keyof Changes, unknown> {
  @ApiProperty({ type: [EventResponse] }) data!: EventResponse[];
  @ApiProperty({
    description: 'Send it as `after` for the events that follow. Store it once these are processed.',
    example: EXAMPLE_POSITION,
  })
  position!: string;
  @ApiProperty({
    description: 'Whether there are more events to read now. `data` may be empty even so.',
    example: false,
  })
  hasMore!: boolean;
}
