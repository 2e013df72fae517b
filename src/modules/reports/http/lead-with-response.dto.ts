import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { LeadResponse } from '../../leads';
import type { LeadWithResponse } from '../application/announce-responses';
import { FirstResponseResponse } from './journey.dto';

/** The `data` of events that tell of first responses. */
@ApiSchema({ name: 'LeadWithResponse' })
export class LeadWithResponseResponse
  extends LeadResponse
  implements Record<keyof LeadWithResponse, unknown>
{
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When the response was due. Null when the target was removed meanwhile.',
  })
  responseDueAt!: Date | null;
  @ApiProperty({ type: FirstResponseResponse, nullable: true, description: 'Null while there is none.' })
  firstResponse!: FirstResponseResponse | null;
}
