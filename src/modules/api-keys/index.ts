import type { Feature } from '../../platform/feature';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeySchema } from './infrastructure/api-key.schema';

export { ApiKeyRepository } from './application/api-key-repository';
export { CreateApiKey } from './application/create-api-key';
export { RevokeApiKey } from './application/revoke-api-key';
export type { ApiKeyView } from './domain/api-key';

export const apiKeys: Feature = { module: ApiKeysModule, schemas: [ApiKeySchema] };
