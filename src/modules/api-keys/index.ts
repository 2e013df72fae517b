import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeyResponse } from './http/api-key.dto';
import { ApiKeySchema } from './infrastructure/api-key.schema';

export { ApiKeyRepository } from './application/api-key-repository';
export { CreateApiKey } from './application/create-api-key';
export { KeyLifetimes } from './application/key-lifetimes';
export { RevokeApiKey } from './application/revoke-api-key';
export { RotateApiKey } from './application/rotate-api-key';
export { WorkspaceApiKeys } from './application/workspace-api-keys';
export {
  type ApiKeyView,
  DEFAULT_GRACE_SECONDS,
  type IssuedApiKey,
  MAX_GRACE_SECONDS,
  type NewApiKey,
} from './domain/api-key';

export const apiKeys: Feature = {
  module: ApiKeysModule,
  schemas: [ApiKeySchema],
  events: readableWith(
    'webhooks:write',
    {
      'api_key.created': 'An API key was created',
      'api_key.revoked': 'An API key was revoked',
    },
    {},
    ApiKeyResponse,
  ),
};
