import type { Feature } from '../../platform/feature';
import { SettingsModule } from './settings.module';

export { type Area, InArea, isAdmin, refOf, settingsPath, SettingsPages } from './http/area';
export { listRequest } from './http/list-request';
export { ModeTabs } from './http/mode-tabs';
export { type AddedPage, SettingsNavigation } from './http/settings-navigation';
export { SettingsPage, type SettingsPageProps } from './http/settings-page';

export const settings: Feature = { module: SettingsModule };
