import type { AuditDetail, AuditRecord } from './audit-record';

/** A detail of a record that has a value; of a changed field also what it was before. */
export interface AuditChange {
  /** In words, such as “Time zone”. */
  readonly field: string;
  readonly from?: string;
  readonly to: string;
}

const PREVIOUS = 'previous';
const MOST_ITEMS = 10;
const MOST_CHARACTERS = 200;

/**
 * What a record tells beyond its summary. `timeZone` and `previousTimeZone` are one change.
 *
 * @param told the names of the details that the summary tells
 */
export function changesIn(details: AuditRecord['details'], told: ReadonlySet<string>): AuditChange[] {
  return Object.entries(details).flatMap(([name, detail]) => {
    if (told.has(name) || isPrevious(name, details)) return [];
    const previous = details[PREVIOUS + name.charAt(0).toUpperCase() + name.slice(1)];
    const change = { field: inWords(name), to: textOf(detail) };
    if (previous !== undefined) return [{ ...change, from: textOf(previous) }];
    return detail === null ? [] : [change];
  });
}

function isPrevious(name: string, details: AuditRecord['details']): boolean {
  if (!/^previous[A-Z]/.test(name)) return false;
  const field = name.slice(PREVIOUS.length);
  return field.charAt(0).toLowerCase() + field.slice(1) in details;
}

/** `skipCauses` is “Skip causes”, and `successorId` “Successor ID”. */
function inWords(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bid\b/, 'ID');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(detail: AuditDetail): string {
  if (detail === null || detail === '') return 'none';
  if (typeof detail === 'boolean') return detail ? 'yes' : 'no';
  if (typeof detail !== 'object') return cut(String(detail));
  if (detail.length === 0) return 'none';
  const shown = cut(detail.slice(0, MOST_ITEMS).join(', '));
  return detail.length > MOST_ITEMS ? `${shown} +${detail.length - MOST_ITEMS}` : shown;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
}
