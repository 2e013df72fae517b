import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { TimelineActor } from '../../../kernel/timeline';
import { exampleId } from '../../../platform/http/path-id';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import {
  type FirstResponse,
  type JourneyView,
  MAX_STAYS,
  RESPONSE_KINDS,
  type ResponseKind,
  type Stay,
} from '../application/journey-queries';

const ACTOR_TYPES: TimelineActor['type'][] = ['api_key', 'oauth', 'user', 'operator'];

@ApiSchema({ name: 'JourneyActor' })
class ActorResponse implements Record<keyof TimelineActor, unknown> {
  @ApiProperty({ enum: ACTOR_TYPES, example: 'api_key' }) type!: TimelineActor['type'];
  @ApiProperty({ type: String, nullable: true, example: exampleId('key') }) id!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Phone system' }) name!: string | null;
}

@ApiSchema({ name: 'FirstResponse' })
export class FirstResponseResponse implements Record<keyof FirstResponse, unknown> {
  @ApiProperty({ ...TIME, example: '2027-01-15T09:42:00.000Z' }) at!: Date;
  @ApiProperty({
    enum: RESPONSE_KINDS,
    description:
      'A message that was sent and isn’t `automatic`, a proposal that was sent, a planned visit, an outbound activity, or a person or credential that moved the lead out of the first open stage.',
    example: 'activity',
  })
  kind!: ResponseKind;
  @ApiProperty({
    type: ActorResponse,
    nullable: true,
    description:
      'Who responded. Null for visits, and for messages and proposals that an earlier release sent.',
  })
  by!: ActorResponse | null;
  @ApiProperty({
    type: 'integer',
    description:
      'How long that took: since the lead was created, or since its first message if that is earlier.',
    example: 720,
  })
  seconds!: number;
}

@ApiSchema({ name: 'StageStay' })
class StayResponse implements Record<keyof Stay, unknown> {
  @ApiProperty({ description: 'The key of the stage.', example: 'new_enquiry' }) stage!: string;
  @ApiProperty({ ...TIME, nullable: true, description: 'Null when it isn’t known.' }) enteredAt!: Date | null;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Null for the present stay.' }) leftAt!: Date | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How long it lasted, or has lasted so far. Null when it isn’t known.',
    example: 720,
  })
  seconds!: number | null;
}

@ApiSchema({ name: 'LeadJourney' })
export class JourneyResponse implements Record<keyof JourneyView, unknown> {
  @ApiProperty({ type: FirstResponseResponse, nullable: true })
  firstResponse!: FirstResponseResponse | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Since when the lead waits for an answer. Automatic messages are none.',
  })
  awaitingReplySince!: Date | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When it was won. Null unless it is, and when it isn’t known.',
  })
  wonAt!: Date | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When it was lost. Null unless it is, and when it isn’t known.',
  })
  lostAt!: Date | null;
  @ApiProperty({
    type: [StayResponse],
    description: `Its stays in stages, the present one last; of more than ${MAX_STAYS} the last ones.`,
  })
  stages!: StayResponse[];
  @ApiProperty({ ...TIME, description: 'From then on, all stays and responses are recorded.' })
  completeSince!: Date;
}
