import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const SECRET = 'JLv0yYn5hTqv3b7wD6kKx2nS9aQe4rUoGm1cZfXpBtI';
const ACCESS_TOKEN = `gala_at_${SECRET}`;
const REFRESH_TOKEN = `gala_rt_${SECRET}`;
const APP_ID = 'app_01h455vb4pex5vsknk084sn02q';

class ClientCredentials {
  @ApiProperty({ required: false, description: 'Unless it comes by HTTP Basic.', example: APP_ID })
  client_id?: string;

  @ApiProperty({
    required: false,
    description: 'Unless it comes by HTTP Basic. Public clients have none.',
    example: SECRET,
  })
  client_secret?: string;
}

@ApiSchema({ name: 'TokenRequest' })
export class TokenRequest extends ClientCredentials {
  @ApiProperty({ enum: ['authorization_code', 'refresh_token'], example: 'authorization_code' })
  grant_type!: string;

  @ApiProperty({ required: false, description: 'With `authorization_code`.', example: `gala_ac_${SECRET}` })
  code?: string;

  @ApiProperty({
    required: false,
    description: 'With `authorization_code`: as it was in the authorization request.',
    example: 'https://app.example.com/callback',
  })
  redirect_uri?: string;

  @ApiProperty({
    required: false,
    description: 'With `authorization_code`, when there was a `code_challenge` (RFC 7636).',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  })
  code_verifier?: string;

  @ApiProperty({ required: false, description: 'With `refresh_token`.', example: REFRESH_TOKEN })
  refresh_token?: string;

  @ApiProperty({
    required: false,
    description: 'With `refresh_token`: fewer scopes than were granted, separated by spaces.',
    example: 'leads:read',
  })
  scope?: string;
}

export const CODE_EXCHANGE = {
  grant_type: 'authorization_code',
  code: `gala_ac_${SECRET}`,
  redirect_uri: 'https://app.example.com/callback',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  client_id: APP_ID,
  client_secret: SECRET,
};

@ApiSchema({ name: 'Tokens' })
export class TokensResponse {
  @ApiProperty({ description: 'For the header `Authorization: Bearer`.', example: ACCESS_TOKEN })
  access_token!: string;

  @ApiProperty({ enum: ['Bearer'], example: 'Bearer' })
  token_type!: string;

  @ApiProperty({ type: 'integer', description: 'How many seconds the access token lives.', example: 3600 })
  expires_in!: number;

  @ApiProperty({
    description: 'Replaces the one before. Lives 90 days without use.',
    example: REFRESH_TOKEN,
  })
  refresh_token!: string;

  @ApiProperty({ description: 'The scopes granted, separated by spaces.', example: 'leads:read leads:write' })
  scope!: string;

  @ApiProperty({ example: 'ws_01h455vb4pex5vsknk084sn02q' })
  workspace_id!: string;
}

@ApiSchema({ name: 'TokenParameter' })
export class TokenParameter extends ClientCredentials {
  @ApiProperty({ description: 'An access token or a refresh token.', example: REFRESH_TOKEN })
  token!: string;

  @ApiProperty({ required: false, description: 'Taken, and not needed.', example: 'refresh_token' })
  token_type_hint?: string;
}

@ApiSchema({ name: 'Revocation', description: 'Nothing: unknown tokens are answered alike.' })
export class RevocationResponse {}

@ApiSchema({ name: 'Introspection', description: 'Of what isn’t active, or another app’s, `active` alone.' })
export class IntrospectionResponse {
  @ApiProperty({ example: true })
  active!: boolean;

  @ApiProperty({ required: false, example: 'leads:read leads:write' })
  scope?: string;

  @ApiProperty({ required: false, example: APP_ID })
  client_id?: string;

  @ApiProperty({ required: false, enum: ['Bearer', 'refresh_token'], example: 'Bearer' })
  token_type?: string;

  @ApiProperty({ required: false, type: 'integer', description: 'Unix time.', example: 1800009000 })
  exp?: number;

  @ApiProperty({ required: false, type: 'integer', description: 'Unix time.', example: 1800005400 })
  iat?: number;

  @ApiProperty({ required: false, example: 'https://gala.example.com' })
  iss?: string;

  @ApiProperty({
    required: false,
    description: 'The person who let the app in.',
    example: 'user_01h455vb4pex5vsknk084sn02q',
  })
  sub?: string;

  @ApiProperty({ required: false, example: 'ws_01h455vb4pex5vsknk084sn02q' })
  workspace_id?: string;

  @ApiProperty({ required: false, enum: ['live', 'test'], example: 'live' })
  mode?: string;

  @ApiProperty({ required: false, example: 'inst_01h455vb4pex5vsknk084sn02q' })
  installation_id?: string;
}

@ApiSchema({ name: 'OAuthError' })
export class OAuthErrorResponse {
  @ApiProperty({ description: 'The code by RFC 6749 section 5.2.', example: 'invalid_grant' })
  error!: string;

  @ApiProperty({ description: 'For developers.', example: 'The code is unknown, spent or expired.' })
  error_description!: string;
}
