import type { Feature } from '../../platform/feature';
import { ShellModule } from './shell.module';

export { type Membership, Memberships } from './application/memberships';
export { type Area, InArea, isAdmin, refOf, settingsPath, SettingsPages } from './pages/area';
export { BrowsedMode } from './pages/browsed-mode';
export { listRequest } from './pages/list-request';
export {
  type OverviewContents,
  type OverviewPart,
  OverviewParts,
  type OverviewPlace,
  type OverviewRequest,
} from './pages/overview-parts';
export { type AddedPage, SettingsNavigation } from './pages/settings-navigation';
export { type SetupStep, SetupSteps, type SetupStepState } from './pages/setup-steps';
export { SettingsPage, type SettingsPageProps } from './pages/settings-page';

export const shell: Feature = { module: ShellModule };
