import { splitList, unguardCell } from '../../../kernel/csv-cells';
import type { FieldProblem } from '../../../kernel/errors';
import { foldText } from '../../../kernel/text';
import { dateProblem, readDay } from './dates';
import { isFirstName } from './headers';
import { type ColumnMapping, CUSTOM_PREFIX, type DateFormat, type ImportOptions } from './import-options';

/** A custom field, as far as its cells are read by it. */
export interface CustomField {
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly archived: boolean }[];
}

/** The custom fields of a workspace, and their rules. */
export interface CustomFieldRules {
  /** Those that aren’t archived. */
  readonly active: readonly CustomField[];
  problemsOnAny(values: Readonly<Record<string, unknown>>): FieldProblem[];
  /** Required fields that are missing among them. */
  problemsOfNew(values: Readonly<Record<string, unknown>>): FieldProblem[];
}

/** What the workspace has, by the texts that people write for it, in the form of `foldText`. */
export interface References {
  readonly stages: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
  readonly customFields: CustomFieldRules;
}

/** The fields of a lead as its row gives them, for the rules of the API, and the cells that can't be read. */
export interface RowFields {
  readonly fields: Record<string, unknown>;
  readonly problems: FieldProblem[];
}

/** Returns the value of a cell that isn't empty, or throws a `CellProblem`. */
type ReadCell = (text: string) => unknown;

class CellProblem extends Error {}

interface Target {
  readonly field: string;
  /** The columns, in the order in which their cells are put together. */
  readonly columns: readonly number[];
  readonly read: ReadCell;
}

interface PlanOptions extends Pick<ImportOptions, 'defaults' | 'onEmpty' | 'matchBy'> {
  readonly mapping: readonly ColumnMapping[];
  readonly formatOf: (column: string) => DateFormat | undefined;
}

/** How the rows of one file become fields of leads. */
export class RowPlan {
  private readonly targets: Target[];
  private readonly clears: boolean;

  constructor(
    private readonly columns: readonly string[],
    { mapping, onEmpty, matchBy, formatOf }: PlanOptions,
    references: References,
  ) {
    // A lead that is created has nothing to clear.
    this.clears = onEmpty === 'clear' && matchBy !== 'none';
    const byField = new Map<string, ColumnMapping[]>();
    for (const each of mapping) byField.set(each.field, [...(byField.get(each.field) ?? []), each]);
    this.targets = [...byField].map(([field, mapped]) => {
      const ordered = mapped.toSorted((one, other) => +isFirstName(other.column) - +isFirstName(one.column));
      return {
        field,
        columns: ordered.map(({ column }) => columns.indexOf(column)),
        read: readerOf(field, formatOf(mapped[0]!.column), references),
      };
    });
  }

  read(cells: readonly string[]): RowFields {
    const misfit = this.misfitOf(cells);
    if (misfit) return { fields: {}, problems: [misfit] };
    const fields: Record<string, unknown> = {};
    const custom: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const { field, columns, read } of this.targets) {
      const text = textOf(field, columns, cells);
      const isCustom = field.startsWith(CUSTOM_PREFIX);
      const [target, name] = isCustom ? [custom, field.slice(CUSTOM_PREFIX.length)] : [fields, field];
      if (text.trim() === '') {
        if (this.clears && field !== 'email' && field !== 'stage') target[name] = null;
        continue;
      }
      try {
        target[name] = read(text);
      } catch (error) {
        if (!(error instanceof CellProblem)) throw error;
        problems.push({ field, message: error.message });
      }
    }
    if (Object.keys(custom).length > 0) fields.custom = custom;
    return { fields, problems };
  }

  /** A row with other cells than columns has lost a delimiter or has one too many: no cell can be trusted. */
  private misfitOf(cells: readonly string[]): FieldProblem | undefined {
    const { length } = this.columns;
    const isTooLong = cells.length > length && cells.slice(length).some((cell) => cell !== '');
    if (cells.length >= length && !isTooLong) return undefined;
    return {
      field: 'row',
      message: `has ${cells.length} cells, and the header ${length}: a delimiter is missing, or is one of a text without quotes`,
    };
  }
}

function textOf(field: string, columns: readonly number[], cells: readonly string[]): string {
  if (columns.length === 1) return unguardCell(cells[columns[0]!]!);
  const texts = columns.map((column) => unguardCell(cells[column]!)).filter((text) => text.trim() !== '');
  return field === 'tags' ? texts.join('; ') : texts.map((text) => text.trim()).join(' ');
}

const AS_IS: ReadCell = (text) => text;
const TRIMMED: ReadCell = (text) => text.trim();

function readerOf(field: string, format: DateFormat | undefined, references: References): ReadCell {
  if (field.startsWith(CUSTOM_PREFIX)) {
    const key = field.slice(CUSTOM_PREFIX.length);
    return customReader(
      references.customFields.active.find((custom) => custom.key === key),
      format,
    );
  }
  switch (field) {
    case 'email':
    case 'lostReasonId':
      return TRIMMED;
    case 'phone':
      return readPhone;
    case 'eventDate':
      return readDate(format);
    case 'guests':
      return readInteger;
    case 'tags':
      return splitList;
    case 'stage':
      return named(references.stages);
    case 'ownerId':
      return named(references.owners);
    default:
      return AS_IS;
  }
}

function customReader(definition: CustomField | undefined, format: DateFormat | undefined): ReadCell {
  switch (definition?.type) {
    case 'integer':
      return readInteger;
    case 'decimal':
      return readDecimal;
    case 'boolean':
      return readBoolean;
    case 'date':
      return readDate(format);
    case 'datetime':
    case 'url':
      return TRIMMED;
    case 'select':
      return named(optionsOf(definition));
    case 'multi_select': {
      const option = named(optionsOf(definition));
      return (text) => splitList(text).map(option);
    }
    default:
      return AS_IS;
  }
}

/** Of options with the same label, one that leads can still get. */
function optionsOf({ options }: CustomField): ReadonlyMap<string, string> {
  const ordered = options.toSorted((one, other) => +other.archived - +one.archived);
  const labels = ordered.map(({ label, value }) => [foldText(label), value] as const);
  return new Map([...labels, ...options.map(({ value }) => [foldText(value), value] as const)]);
}

/** Something of the workspace by its name. A text that names nothing is left to the rule of the field. */
function named(values: ReadonlyMap<string, string>): ReadCell {
  return (text) => values.get(foldText(text.trim())) ?? text.trim();
}

const SCIENTIFIC = /^[+-]?\d{1,20}(?:[.,]\d{1,20})?[eE][+-]?\d{1,4}$/;

function readPhone(text: string): string {
  const phone = text.trim();
  if (SCIENTIFIC.test(phone)) {
    throw new CellProblem(
      `was a number that a spreadsheet rounded to ${phone}, its last digits are lost: format the column as text, enter the number again, and export it anew`,
    );
  }
  // The prefix of international calls, in most countries.
  return phone.replace(/^00(?=[1-9])/, '+');
}

function readDate(format: DateFormat | undefined): ReadCell {
  return (text) => {
    const day = readDay(text.trim(), format);
    if (day === undefined) throw new CellProblem(dateProblem(text.trim(), format));
    return day;
  };
}

function readInteger(text: string): unknown {
  const digits = text.trim();
  // Spreadsheets write whole numbers with decimals at times.
  const [whole] = /^[+-]?\d{1,15}(?=(?:[.,]0+)?$)/.exec(digits) ?? [];
  return whole === undefined ? digits : Number(whole);
}

function readDecimal(text: string): unknown {
  const number = text.trim();
  return /^[+-]?\d{1,15}(?:[.,]\d+)?$/.test(number) ? Number(number.replace(',', '.')) : number;
}

const YES = new Set([
  'true',
  'yes',
  'y',
  '1',
  'ja',
  'j',
  'oui',
  'o',
  'sí',
  'si',
  's',
  'wahr',
  'vrai',
  'verdadero',
  'x',
]);
const NO = new Set(['false', 'no', 'n', '0', 'nein', 'non', 'falsch', 'faux', 'falso']);

function readBoolean(text: string): unknown {
  const word = foldText(text.trim());
  return YES.has(word) || (NO.has(word) ? false : text.trim());
}
