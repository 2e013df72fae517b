import type { Feature } from '../../platform/feature';
import { SettingsModule } from './settings.module';

export const settings: Feature = { module: SettingsModule };
