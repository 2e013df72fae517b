import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { OverviewParts, SettingsNavigation, settingsPath, SetupSteps } from '../shell';
import { API_KEY_ACTIONS } from './application/api-key-actions';
import { ApiKeyQueries } from './application/api-key-queries';
import { ApiKeyRepository } from './application/api-key-repository';
import { CreateApiKey } from './application/create-api-key';
import { KeyLifetimes } from './application/key-lifetimes';
import { RevokeApiKey } from './application/revoke-api-key';
import { RotateApiKey } from './application/rotate-api-key';
import { ApiKeyFamilyReader, WorkspaceApiKeys } from './application/workspace-api-keys';
import { ApiKeysController } from './http/api-keys.controller';
import { ApiKeyUsage } from './infrastructure/api-key-usage';
import { ApiKeyVerifier } from './infrastructure/api-key-verifier';
import { PostgresApiKeyFamilyReader } from './infrastructure/api-key-family.reader';
import { PostgresApiKeyRepository } from './infrastructure/api-key.repository';
import { ApiKeyPagesController } from './pages/api-key-pages.controller';
import { FirstCall } from './pages/first-call';
import { KeyMakers } from './pages/key-makers';

@Module({
  controllers: [ApiKeysController, ApiKeyPagesController],
  providers: [
    ApiKeyQueries,
    ApiKeyUsage,
    ApiKeyVerifier,
    CreateApiKey,
    FirstCall,
    KeyLifetimes,
    KeyMakers,
    RevokeApiKey,
    RotateApiKey,
    WorkspaceApiKeys,
    { provide: ApiKeyFamilyReader, useClass: PostgresApiKeyFamilyReader },
    { provide: ApiKeyRepository, useClass: PostgresApiKeyRepository },
  ],
  exports: [ApiKeyRepository, CreateApiKey, KeyLifetimes, RevokeApiKey, RotateApiKey, WorkspaceApiKeys],
})
export class ApiKeysModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    overview: OverviewParts,
    firstCall: FirstCall,
    steps: SetupSteps,
    keys: WorkspaceApiKeys,
  ) {
    overview.add(firstCall);
    steps.add({
      position: 1,
      label: 'Use an API key',
      hint: 'Create a key, and make the first call with it.',
      path: (area) => settingsPath(area, `${area.mode}/api-keys`),
      isDone: (workspaceId) => keys.hasUsed(workspaceId),
    });
    actions.register(API_KEY_ACTIONS);
    navigation.add({
      group: 'Integrations',
      label: 'API keys',
      path: ':mode/api-keys',
      least: 'admin',
      position: 1,
    });
  }
}
