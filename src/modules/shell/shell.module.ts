import { Module } from '@nestjs/common';
import { BrowsedMode } from './pages/browsed-mode';
import { OverviewParts } from './pages/overview-parts';
import { SettingsNavigation } from './pages/settings-navigation';

@Module({
  providers: [BrowsedMode, OverviewParts, SettingsNavigation],
  exports: [BrowsedMode, OverviewParts, SettingsNavigation],
})
export class ShellModule {}
