import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';
import type { FieldType } from '../domain/field-value';

export const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  long_text: 'Long text',
  integer: 'Whole number',
  decimal: 'Decimal number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
  select: 'One of several options',
  multi_select: 'Several options',
  url: 'Web address',
};

/** An address below the page of the custom fields. */
export function fieldsPath(area: Area, page = ''): Path {
  return settingsPath(area, `${area.mode}/fields${page && `/${page}`}`);
}
