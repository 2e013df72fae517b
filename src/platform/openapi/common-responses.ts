import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import type { ErrorCode } from '../../kernel/errors';
import { MAX_PAGE_BYTES, type Page } from '../../kernel/page';

/** The `revision` of an object that can change. Its `ETag` carries the same. */
export const REVISION = {
  type: 'integer',
  minimum: 1,
  description:
    'Counts the changes, from 1. Of two states of an object, the one with the higher revision is the later.',
  example: 1,
} satisfies ApiPropertyOptions;

export const TIME = {
  type: 'string',
  format: 'date-time',
  example: '2027-01-15T09:30:00.000Z',
} satisfies ApiPropertyOptions;

/** A time that is null until something has happened, as in the example. */
export const TIME_OR_NULL = { ...TIME, nullable: true, example: null } satisfies ApiPropertyOptions;

const ERROR_CODES: Record<ErrorCode, true> = {
  bad_request: true,
  unauthorized: true,
  forbidden: true,
  not_found: true,
  validation_error: true,
  rate_limit: true,
  server_error: true,
};

@ApiSchema({ name: 'FieldProblem' })
export class FieldProblemResponse {
  @ApiProperty({
    description: 'The path of the field, such as `email` or `lineItems[0].quantity`.',
    example: 'email',
  })
  field!: string;

  @ApiProperty({ example: 'is required' })
  message!: string;
}

@ApiSchema({ name: 'ErrorBody' })
class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_CODES), example: 'validation_error' })
  code!: string;

  @ApiProperty({
    description: 'For people. May change; programs go by `code` and `field`.',
    example: 'email: is required',
  })
  message!: string;

  @ApiProperty({ required: false, description: 'On 422: the first offending field.', example: 'email' })
  field?: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status.', example: 422 })
  status!: number;

  @ApiProperty({
    description: 'The `X-Request-Id` of the answer.',
    example: '0b5e3d1c-8f5a-4f7e-9a43-7a4d5c9c4a11',
  })
  requestId!: string;

  @ApiProperty({
    required: false,
    description: 'At `/oauth`: the code by RFC 6749.',
    example: 'invalid_grant',
  })
  reason?: string;

  @ApiProperty({
    required: false,
    type: [FieldProblemResponse],
    description: 'On 422: every offending field.',
  })
  details?: FieldProblemResponse[];
}

@ApiSchema({ name: 'Error', description: 'What every answer with a status of 400 or more looks like.' })
export class ErrorResponse {
  @ApiProperty()
  error!: ErrorBody;
}

@ApiSchema({ name: 'Pagination' })
class PaginationResponse implements Record<keyof Page<unknown>['pagination'], unknown> {
  @ApiProperty({ type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', description: 'The page size in use.', example: 20 })
  limit!: number;

  @ApiProperty({ type: 'integer', description: 'How many items match in all.', example: 1 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'How many pages they fill; 0 when none match.', example: 1 })
  pages!: number;

  @ApiProperty({
    description: `Whether more items follow. A page with fewer items than \`limit\` may have reached ${MAX_PAGE_BYTES / 1024 ** 2} MiB, and \`nextCursor\` continues right after its last item.`,
    example: false,
  })
  hasNext!: boolean;

  @ApiProperty({ example: false })
  hasPrev!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For the parameter `cursor`; null on the last page.',
    example: null,
  })
  nextCursor!: string | null;
}

/** The response class of a list: a page of items in the pagination envelope. */
export function listOf(item: Type, name: string): Type {
  @ApiSchema({ name })
  class ListResponse {
    @ApiProperty({ type: [item] })
    data!: unknown[];

    @ApiProperty()
    pagination!: PaginationResponse;
  }
  return ListResponse;
}
