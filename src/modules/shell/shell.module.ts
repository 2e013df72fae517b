import { Module } from '@nestjs/common';
import { BrowsedMode } from './pages/browsed-mode';
import { SettingsNavigation } from './pages/settings-navigation';

@Module({ providers: [BrowsedMode, SettingsNavigation], exports: [BrowsedMode, SettingsNavigation] })
export class ShellModule {}
