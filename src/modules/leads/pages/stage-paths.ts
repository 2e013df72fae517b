import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';
import type { Outcome } from '../domain/stage';

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = { open: 'Open', won: 'Won', lost: 'Lost' };

/** An address below the page of the stages. */
export function stagesPath(area: Area, page = ''): Path {
  return settingsPath(area, `${area.mode}/stages${page && `/${page}`}`);
}

export function lostReasonsPath(area: Area, page = ''): Path {
  return settingsPath(area, `${area.mode}/lost-reasons${page && `/${page}`}`);
}
