import type { LeadId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';

export function leadsPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/leads`);
}

/** The page of a lead. */
export function leadPath(area: Area, id: LeadId): Path {
  return `${leadsPath(area)}/${id}`;
}
