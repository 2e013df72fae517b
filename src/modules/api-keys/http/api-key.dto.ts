import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MODES } from '../../../kernel/principal';
import { Field } from '../../../platform/http/field';
import { instant, integer, text, textList } from '../../../platform/http/field-rules';
import { PathId } from '../../../platform/http/path-id';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { type ApiKeyView, DEFAULT_GRACE_SECONDS, MAX_GRACE_SECONDS } from '../domain/api-key';

export const API_KEY = new PathId('key', 'API key');

export class CreateApiKeyBody {
  @Field({
    rule: text(100),
    presence: 'required',
    description: 'A label for people, 1 to 100 characters.',
    example: 'Website form',
  })
  name!: string;

  @Field({
    rule: textList(100, 100),
    presence: 'nullable',
    description: 'A subset of the calling key’s scopes. Without any, the key may call only what needs none.',
    example: ['leads:read', 'leads:write'],
  })
  scopes?: string[] | null;

  @Field({
    rule: instant,
    presence: 'nullable',
    description: 'When the key stops working. By default with the calling key, if that expires; else never.',
    example: '2030-01-01T00:00:00.000Z',
  })
  expiresAt?: string | null;
}

export class RotateApiKeyBody {
  @Field({
    rule: integer(0, MAX_GRACE_SECONDS),
    presence: 'nullable',
    default: DEFAULT_GRACE_SECONDS,
    description: 'How many seconds the old key goes on working; 0 revokes it at once.',
    example: 3600,
  })
  gracePeriodSeconds?: number | null;
}

@ApiSchema({ name: 'ApiKey' })
export class ApiKeyResponse implements Record<keyof ApiKeyView, unknown> {
  @ApiProperty({ example: API_KEY.example })
  id!: string;

  @ApiProperty({ example: 'Website form' })
  name!: string;

  @ApiProperty({ type: [String], example: ['leads:read', 'leads:write'] })
  scopes!: string[];

  @ApiProperty({ enum: MODES, example: 'test' })
  mode!: string;

  @ApiProperty({
    description: 'The last four characters of the key, to tell keys apart by.',
    example: 'x7Qa',
  })
  last4!: string;

  @ApiProperty(TIME)
  createdAt!: Date;

  @ApiProperty(TIME_OR_NULL)
  expiresAt!: Date | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Up to 10 seconds behind.',
    example: '2027-01-16T11:00:00.000Z',
  })
  lastUsedAt!: Date | null;

  @ApiProperty(TIME_OR_NULL)
  revokedAt!: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The key or user that made it; null when the operator did.',
    example: 'key_01h455vb4pex5vsknk084sn01p',
  })
  createdBy!: string | null;
}

@ApiSchema({ name: 'IssuedApiKey', description: 'A new key, together with its secret.' })
export class IssuedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({
    description: 'The secret itself. It is shown this once: store it now.',
    example: 'gala_test_<32 characters><6 characters of checksum>',
  })
  key!: string;
}
