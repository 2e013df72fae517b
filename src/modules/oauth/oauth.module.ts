import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { SettingsNavigation } from '../shell';
import { AppRepository } from './application/app-repository';
import { AuthorizeApp } from './application/authorize-app';
import { InstallationRepository } from './application/installation-repository';
import { ManageApps } from './application/manage-apps';
import { OAUTH_ACTIONS } from './application/oauth-actions';
import { TokenEndpoint } from './application/token-endpoint';
import { TokenRepository } from './application/token-repository';
import { Tokens } from './application/tokens';
import { UninstallApp } from './application/uninstall-app';
import { ServerMetadataController } from './http/server-metadata.controller';
import { TokenController } from './http/token.controller';
import { AccessTokenVerifier } from './infrastructure/access-token-verifier';
import { InstallationUsage } from './infrastructure/installation-usage';
import { RegisteredOrigins } from './infrastructure/registered-origins';
import { OAuth2ServerTokenEndpoint } from './infrastructure/oauth2-server-token-endpoint';
import { PostgresAppRepository } from './infrastructure/app.repository';
import { PostgresInstallationRepository } from './infrastructure/installation.repository';
import { PostgresTokenRepository } from './infrastructure/token.repository';
import { AuthorizeController } from './pages/authorize.controller';
import { InstalledAppsController } from './pages/installed-apps.controller';

@Module({
  controllers: [AuthorizeController, TokenController, ServerMetadataController, InstalledAppsController],
  providers: [
    AccessTokenVerifier,
    AuthorizeApp,
    InstallationUsage,
    ManageApps,
    RegisteredOrigins,
    Tokens,
    UninstallApp,
    { provide: AppRepository, useClass: PostgresAppRepository },
    { provide: InstallationRepository, useClass: PostgresInstallationRepository },
    { provide: TokenEndpoint, useClass: OAuth2ServerTokenEndpoint },
    { provide: TokenRepository, useClass: PostgresTokenRepository },
  ],
  exports: [InstallationRepository, ManageApps, UninstallApp],
})
export class OAuthModule {
  constructor(actions: AuditActions, navigation: SettingsNavigation) {
    actions.register(OAUTH_ACTIONS);
    navigation.add({
      group: 'Integrations',
      label: 'Installed apps',
      path: ':mode/apps',
      least: 'admin',
      position: 4,
    });
  }
}
