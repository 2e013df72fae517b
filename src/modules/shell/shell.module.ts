import { Module } from '@nestjs/common';
import { SettingsNavigation } from './pages/settings-navigation';

@Module({ providers: [SettingsNavigation], exports: [SettingsNavigation] })
export class ShellModule {}
