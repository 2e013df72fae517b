import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';

export const MATCH_BY = ['none', 'externalId', 'email', 'phone'] as const;
export const ON_EXISTING = ['overwrite', 'fill'] as const;
export const ON_MULTIPLE = ['refuse', 'newest'] as const;
export const ON_EMPTY = ['keep', 'clear'] as const;
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export const DATE_FORMATS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;

/** Labels of the WHATWG Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1252',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
] as const;

export type MatchBy = (typeof MATCH_BY)[number];
export type Delimiter = (typeof DELIMITERS)[number];
export type DateFormat = (typeof DATE_FORMATS)[number];
export type Encoding = (typeof ENCODINGS)[number];

/** A column of the file, and the field of a lead that its cells are for. */
export interface ColumnMapping {
  /** Of the header, as the import names it: `Email`, or `Email (2)` for the second column with that header. */
  column: string;
  /** `email`, or `custom.<key>` for a custom field. */
  field: string;
}

/** What the client chooses. Null leaves a choice to the file. */
export interface ImportOptions {
  matchBy: MatchBy;
  onExisting: (typeof ON_EXISTING)[number];
  onMultiple: (typeof ON_MULTIPLE)[number];
  /** Whether an empty cell keeps or clears the field of a lead that is there already. */
  onEmpty: (typeof ON_EMPTY)[number];
  /** Fields of leads that the import creates, where their cell is empty. */
  defaults: Record<string, unknown>;
  /** Columns that aren't named are left out. */
  mapping: ColumnMapping[] | null;
  delimiter: Delimiter | null;
  encoding: Encoding | null;
  dateFormat: DateFormat | null;
}

export const DEFAULT_OPTIONS: ImportOptions = {
  matchBy: 'none',
  onExisting: 'overwrite',
  onMultiple: 'refuse',
  onEmpty: 'keep',
  defaults: {},
  mapping: null,
  delimiter: null,
  encoding: null,
  dateFormat: null,
};

/** Cells for these fields are put together: a first and a last name, and lists of tags. */
const JOINED = new Set(['name', 'tags']);

export const LEAD_TARGETS = [
  ...['externalId', 'name', 'email', 'phone', 'eventDate', 'guests', 'source', 'stage', 'tags', 'ownerId'],
  ...['lostReasonId', 'lostNote'],
] as const;
export type LeadTarget = (typeof LEAD_TARGETS)[number];

const TARGETS = new Set<string>(LEAD_TARGETS);
export const CUSTOM_PREFIX = 'custom.';

/**
 * The problems with a mapping.
 *
 * @param customKeys of the workspace's custom fields
 * @param columns of the file, if it has been read
 */
export function mappingProblems(
  mapping: readonly ColumnMapping[],
  customKeys: ReadonlySet<string>,
  columns?: readonly string[],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = { columns: new Set<string>(), fields: new Set<string>() };
  for (const [index, { column, field }] of mapping.entries()) {
    const refuse = (name: string, message: string) =>
      problems.push({ field: `mapping[${index}].${name}`, message });
    if (seen.columns.has(column)) refuse('column', 'is mapped twice');
    else if (columns && !columns.includes(column))
      refuse('column', `is no column of the file: its columns are ${shortList(columns)}`);
    if (!isTarget(field, customKeys)) refuse('field', `must be one of ${targetsOf(customKeys).join(', ')}`);
    else if (seen.fields.has(field) && !JOINED.has(field)) refuse('field', 'has another column already');
    seen.columns.add(column);
    seen.fields.add(field);
  }
  return problems;
}

export function refuseMapping(...[first, ...more]: FieldProblem[]): void {
  if (first) throw new ValidationFailed(first, ...more);
}

export function targetsOf(customKeys: ReadonlySet<string>): string[] {
  return [...LEAD_TARGETS, ...[...customKeys].map((key) => CUSTOM_PREFIX + key)];
}

function isTarget(field: string, customKeys: ReadonlySet<string>): boolean {
  return field.startsWith(CUSTOM_PREFIX)
    ? customKeys.has(field.slice(CUSTOM_PREFIX.length))
    : TARGETS.has(field);
}

/** How many columns a message names, and how much of each name. */
const [NAMED, NAME_LENGTH] = [20, 40];

function shortList(names: readonly string[]): string {
  const first = names.slice(0, NAMED).map((name) => name.slice(0, NAME_LENGTH).toWellFormed());
  return first.join(', ') + (names.length > NAMED ? ' …' : '');
}
