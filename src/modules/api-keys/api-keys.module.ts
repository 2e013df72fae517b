import { Module } from '@nestjs/common';
import { ApiKeyQueries } from './application/api-key-queries';
import { ApiKeyRepository } from './application/api-key-repository';
import { CreateApiKey } from './application/create-api-key';
import { RevokeApiKey } from './application/revoke-api-key';
import { RotateApiKey } from './application/rotate-api-key';
import { ApiKeysController } from './http/api-keys.controller';
import { ApiKeyUsage } from './infrastructure/api-key-usage';
import { ApiKeyVerifier } from './infrastructure/api-key-verifier';
import { TypeOrmApiKeyRepository } from './infrastructure/typeorm-api-key-repository';

@Module({
  controllers: [ApiKeysController],
  providers: [
    ApiKeyQueries,
    ApiKeyUsage,
    ApiKeyVerifier,
    CreateApiKey,
    RevokeApiKey,
    RotateApiKey,
    { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
  ],
  exports: [ApiKeyRepository, CreateApiKey, RevokeApiKey],
})
export class ApiKeysModule {}
