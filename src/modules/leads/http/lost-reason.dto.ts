import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { oneOf, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import type { LostReasonView } from '../domain/lost-reason';

export const LOST_REASON = new PathId('reason', 'lost reason');

const ARCHIVED = ['false', 'true', 'all'] as const;

const { field, shown } = resourceFields({
  name: {
    rule: text(60),
    description: 'Unique in the workspace, ignoring case and archived ones included.',
    example: 'Over budget',
  },
});

export class CreateLostReasonBody {
  @field('name', 'required') name!: string;
}

export class UpdateLostReasonBody {
  @field('name', 'optional') name?: string;
}

export class ListLostReasonsQuery extends PageQuery {
  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'false',
    description: '`true`: archived lost reasons alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];
}

@ApiSchema({ name: 'LostReason' })
export class LostReasonResponse implements Record<keyof LostReasonView, unknown> {
  @ApiProperty({ example: LOST_REASON.example }) id!: string;
  @shown('name') name!: string;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the reason is archived.' })
  archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
}
