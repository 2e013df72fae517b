import type { ImportId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';

export function importsPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/imports`);
}

export function importPath(area: Area, id: ImportId): Path {
  return `${importsPath(area)}/${id}`;
}
