import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';

export function calendarPath(area: Area, page = ''): Path {
  return settingsPath(area, `${area.mode}/calendar${page && `/${page}`}`);
}

export function dayPath(area: Area, day: string, rest = ''): Path {
  return calendarPath(area, `days/${day}${rest && `/${rest}`}`);
}
