import { unguardCell } from '../../../kernel/csv-cells';
import type { FieldProblem } from '../../../kernel/errors';
import { foldText } from '../../../kernel/text';
import type { MatchField } from '../../leads';
import { DateColumn } from '../domain/dates';
import type { Import } from '../domain/import';
import type { DateFormat } from '../domain/import-options';
import { KeySet } from '../domain/key-set';
import {
  type CheckReport,
  type FileColumn,
  ownValue,
  PREVIEW_ROWS,
  type PreviewRow,
  ProblemGroups,
  type Question,
  shortPreview,
  shown,
} from '../domain/report';
import type { References } from '../domain/row-plan';
import type { CsvRecord } from './csv-reader';
import { matchValueOf, type RowLead, RowLeads } from './row-leads';

const SAMPLES = 3;
/** Of the samples of all columns. */
const SAMPLE_CHARACTERS = 32 * 1024;
/** Of the file, in which samples are looked for. */
const SAMPLED_ROWS = 100;

const SEVERAL: FieldProblem = { field: 'matchBy', message: 'matches several leads' };

/** How many leads have each of these values; those that none has are left out. */
type CountMatches = (by: MatchField, values: string[]) => Promise<ReadonlyMap<string, number>>;

type Found = Pick<CheckReport, 'encoding' | 'delimiter'> & { columns: FileColumn[] };

/** Follows one file from its first row to its last, in the memory of a few rows and a hash for each key. */
export class FileCheck {
  rows = 0;
  private readonly leads: RowLeads;
  private readonly dates = new Map<number, DateColumn>();
  private readonly problems = new ProblemGroups();
  private readonly first: (Pick<PreviewRow, 'willBe' | 'problems'> & { record: CsvRecord })[] = [];
  /** Rows that await the count of the leads that they match. */
  private waiting: (Pick<RowLead, 'missing'> & { record: CsvRecord; value: string; place: number })[] = [];
  private readonly keys = new KeySet();
  private sampled = 0;
  private willCreate = 0;
  private willUpdate = 0;
  private willFail = 0;

  constructor(
    private readonly item: Import,
    private readonly found: Found,
    private readonly references: References,
    dateFields: ReadonlySet<string>,
  ) {
    this.leads = this.leadsWith({});
    if (item.options.dateFormat) return;
    for (const [index, { field }] of found.columns.entries()) {
      if (field && dateFields.has(field)) this.dates.set(index, new DateColumn());
    }
  }

  add(record: CsvRecord): void {
    this.rows++;
    this.sample(record.cells);
    const { write, missing } = this.leads.read(record.cells);
    let willBe: PreviewRow['willBe'] = 'created';
    if ('problems' in write) {
      willBe = 'failed';
      this.fail(record, write.problems);
    } else {
      const value = matchValueOf(write);
      if (value === undefined) this.willCreate++;
      else this.waiting.push({ record, value, missing, place: this.first.length });
    }
    if (this.first.length < PREVIEW_ROWS) this.first.push({ record, willBe, problems: [] });
  }

  /** Finds out which of the rows since the last call match leads, or rows before them. */
  async countMatches(count: CountMatches): Promise<void> {
    const { matchBy, onMultiple } = this.item.options;
    if (matchBy === 'none' || this.waiting.length === 0) return;
    const counts = await count(matchBy, [...new Set(this.waiting.map(({ value }) => value))]);
    for (const { record, value, missing, place } of this.waiting) {
      const matching = counts.get(value) ?? 0;
      const key = matchBy === 'email' ? foldText(value) : value;
      const isThere = matching > 0 || (missing.length > 0 ? this.keys.has(key) : !this.keys.add(key));
      const isUnclear = matching > 1 && onMultiple === 'refuse';
      const problems = isUnclear ? [SEVERAL] : isThere ? [] : missing;
      if (problems.length > 0) this.fail(record, problems);
      else if (isThere) this.willUpdate++;
      else this.willCreate++;
      const preview = this.first[place];
      if (preview?.record !== record) continue;
      preview.willBe = problems.length > 0 ? 'failed' : isThere ? 'updated' : 'created';
      preview.problems = [...problems];
    }
    this.waiting = [];
  }

  get report(): CheckReport {
    const { rows, willCreate, willUpdate, willFail, found, problems } = this;
    const questions: Question[] = [];
    const formatOf: [column: string, DateFormat][] = [];
    for (const [index, { formats, samples }] of this.dates) {
      const column = found.columns[index]!.name;
      if (formats.length === 1) formatOf.push([column, formats[0]!]);
      else if (formats.length > 1) {
        const message = `must be given: the dates of the column “${shown(column)}”, such as ${shown(samples[0])}, can be read as ${formats.join(' and as ')}`;
        questions.push({ field: 'dateFormat', column, options: formats, samples, message });
      }
    }
    // Any name may be that of a column, `__proto__` too.
    const dateFormats = Object.fromEntries(formatOf);
    return {
      ...found,
      dateFormats,
      rows,
      ...{ willCreate, willUpdate, willFail },
      preview: this.preview(dateFormats),
      problems: problems.list,
      ambiguous: questions,
    };
  }

  private fail({ line }: CsvRecord, problems: readonly FieldProblem[]): void {
    this.willFail++;
    this.problems.add(line, problems);
  }

  private preview(dateFormats: Record<string, DateFormat>): PreviewRow[] {
    const leads = this.leadsWith(dateFormats);
    const rows = this.first.map(({ record: { line, cells }, willBe, problems: found }) => {
      const { given, write }: RowLead = leads.read(cells);
      const problems = 'problems' in write ? write.problems : found;
      return { line, willBe, lead: shown(given), problems: problems.map(shown) };
    });
    return shortPreview(rows);
  }

  private leadsWith(dateFormats: Record<string, DateFormat>): RowLeads {
    const { columns } = this.found;
    const { options } = this.item;
    const mapping = columns.flatMap(({ name, field }) => (field ? [{ column: name, field }] : []));
    const formatOf = (column: string) => options.dateFormat ?? ownValue(dateFormats, column);
    const names = columns.map(({ name }) => name);
    return new RowLeads({ options, mapping, formatOf }, names, this.references);
  }

  private sample(cells: readonly string[]): void {
    const { columns } = this.found;
    for (const [index, column] of this.dates) {
      const cell = cells[index];
      if (cell) column.add(unguardCell(cell).trim());
    }
    if (this.rows > SAMPLED_ROWS) return;
    for (const [index, { samples }] of columns.entries()) {
      const cell = cells[index];
      if (!cell || samples.length === SAMPLES || this.sampled > SAMPLE_CHARACTERS) continue;
      const sample = shown(unguardCell(cell));
      samples.push(sample);
      this.sampled += sample.length;
    }
  }
}
