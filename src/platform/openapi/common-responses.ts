import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../../kernel/page';

class FieldProblemResponse {
  @ApiProperty({
    description: 'The path of the field, such as `email` or `lineItems[0].quantity`.',
    example: 'email',
  })
  field!: string;

  @ApiProperty({ example: 'is required' })
  message!: string;
}

class ErrorBody {
  @ApiProperty({
    enum: [
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'validation_error',
      'rate_limit',
      'server_error',
    ],
    example: 'validation_error',
  })
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
    type: [FieldProblemResponse],
    description: 'On 422: every offending field.',
  })
  details?: FieldProblemResponse[];
}

export class ErrorResponse {
  @ApiProperty()
  error!: ErrorBody;
}

export class PaginationResponse implements Record<keyof Page<unknown>['pagination'], unknown> {
  @ApiProperty({ type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ type: 'integer', description: 'The page size in use.', example: 20 })
  limit!: number;

  @ApiProperty({ type: 'integer', description: 'How many items match in all.', example: 45 })
  total!: number;

  @ApiProperty({ type: 'integer', example: 3 })
  pages!: number;

  @ApiProperty({ example: true })
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
