import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { InstallationResponse } from './http/installation.dto';
import { AppSchema } from './infrastructure/app.schema';
import { OAuthModule } from './oauth.module';

export { InstallationRepository } from './application/installation-repository';
export { ManageApps } from './application/manage-apps';
export { UninstallApp } from './application/uninstall-app';
export type { App } from './domain/app';

export const oauth: Feature = {
  module: OAuthModule,
  schemas: [AppSchema],
  events: readableWith(
    'webhooks:write',
    {
      'app.installed': 'An app was installed',
      'app.uninstalled': 'An app was removed',
    },
    {},
    InstallationResponse,
  ),
};
