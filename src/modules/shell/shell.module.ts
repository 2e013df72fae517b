import { Module } from '@nestjs/common';
import { BrowsedMode } from './pages/browsed-mode';
import { OverviewParts } from './pages/overview-parts';
import { SettingsNavigation } from './pages/settings-navigation';
import { SetupSteps } from './pages/setup-steps';

@Module({
  providers: [BrowsedMode, OverviewParts, SettingsNavigation, SetupSteps],
  exports: [BrowsedMode, OverviewParts, SettingsNavigation, SetupSteps],
})
export class ShellModule {}
