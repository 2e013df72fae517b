import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { unguardCell } from '../../../kernel/csv-cells';
import type { DomainEvent } from '../../../kernel/domain-event';
import { slices } from '../../../kernel/slices';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { LeadMatches, type MatchField } from '../../leads';
import { columnNames, looksLikeData, suggestFields } from '../domain/headers';
import type { Import } from '../domain/import';
import { CUSTOM_PREFIX, mappingProblems } from '../domain/import-options';
import type { CheckReport } from '../domain/report';
import { type CheckClaim, CheckLost } from './check-queue';
import { type CsvFile, CsvReader, type CsvRecord, UnreadableFile } from './csv-reader';
import { FileCheck } from './file-check';
import { ImportFiles } from './import-files';
import { ImportRepository } from './import-repository';
import { type Batch, ImportRows } from './import-rows';
import { LeadReferences } from './lead-references';

/** Of a transaction of the import. */
export const BATCH_ROWS = 500;
/** A batch of rows with long texts, or with many cells, has fewer. */
const BATCH_CHARACTERS = 1024 * 1024;
export const MAX_ROWS = 1_000_000;
/** A file at which the process itself dies is given up. */
const MAX_ATTEMPTS = 5;
const GIVEN_UP = new UnreadableFile(null, 'the file could not be checked: send it again later');

/** Reads a file, checks each of its rows by the rules of the API, and stores the rows in the batches that are imported. */
@Injectable()
export class CheckFile {
  constructor(
    private readonly csv: CsvReader,
    private readonly files: ImportFiles,
    private readonly rows: ImportRows,
    private readonly imports: ImportRepository,
    private readonly references: LeadReferences,
    private readonly matches: LeadMatches,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Does nothing more once its client has sent another file, or cancelled. */
  async execute(claim: CheckClaim): Promise<void> {
    try {
      await this.checkOnce(claim);
    } catch (error) {
      if (!(error instanceof CheckLost)) throw error;
    }
  }

  private async checkOnce(claim: CheckClaim): Promise<void> {
    const { ref, id, token } = claim;
    const item = await this.imports.find(ref, id);
    if (item?.claim !== token || !item.fileId) throw new CheckLost();
    // Of checks that broke off: each may have stored a whole file.
    await this.rows.dropBatches(ref, id, token);
    const outcome =
      claim.attempts > MAX_ATTEMPTS ? GIVEN_UP : await this.check(item, claim).catch(unreadable);
    await this.end(claim, outcome);
    await this.rows.dropBatches(ref, id, outcome instanceof UnreadableFile ? null : token);
  }

  private end({ ref, id, token }: CheckClaim, outcome: CheckReport | UnreadableFile): Promise<void> {
    return this.unitOfWork.run(async () => {
      const item = await this.imports.lock(ref, id);
      if (item?.claim !== token || item.status !== 'checking') throw new CheckLost();
      const now = this.clock.now();
      const events: DomainEvent[] = [];
      if (outcome instanceof UnreadableFile) {
        const { line, message } = outcome;
        events.push(item.refuseFile({ line, message }, now));
      } else {
        item.endCheck(outcome, now);
      }
      await this.imports.save(item, events);
    });
  }

  private async check(item: Import, claim: CheckClaim): Promise<CheckReport> {
    const file = await this.csv.open(this.files.read(item.ref, item.fileId!), item.options);
    const check = await this.begin(item, file);
    const others = slices();
    let batch: { number: number; firstRow: number; rows: CsvRecord[] } = { number: 0, firstRow: 1, rows: [] };
    let characters = 0;
    const flush = async () => {
      if (batch.rows.length === 0) return;
      await this.rows.addBatch(claim, batch satisfies Batch);
      await check.countMatches((by, values) => this.countMatches(item, by, values));
      batch = { number: batch.number + 1, firstRow: batch.firstRow + batch.rows.length, rows: [] };
      characters = 0;
    };
    for await (const records of file.records) {
      for (const record of records) {
        if (check.rows === MAX_ROWS) {
          throw new UnreadableFile(record.line, `the file has more than ${MAX_ROWS} rows: divide it`);
        }
        check.add(record);
        batch.rows.push(record);
        characters += record.cells.reduce((sum, cell) => sum + cell.length, record.cells.length);
        if (batch.rows.length === BATCH_ROWS || characters > BATCH_CHARACTERS) await flush();
        await others();
      }
    }
    await flush();
    return check.report;
  }

  private async countMatches(
    { ref }: Import,
    by: MatchField,
    values: string[],
  ): Promise<Map<string, number>> {
    const found = await this.matches.find(ref, { externalId: [], email: [], phone: [], [by]: values });
    const counts = new Map<string, number>();
    for (const { value } of found) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  private async begin(item: Import, { encoding, delimiter, header }: CsvFile): Promise<FileCheck> {
    const headers = header.cells.map((cell) => unguardCell(cell).trim());
    if (headers.some((cell) => cell.includes('\0'))) {
      const reason = 'the file isn’t text, or is UTF-16 without a byte order mark: name its encoding';
      throw new UnreadableFile(header.line, reason);
    }
    if (looksLikeData(headers)) {
      const reason = 'the first line holds data: put a line above it that names the columns';
      throw new UnreadableFile(header.line, reason);
    }
    const names = columnNames(headers);
    const { mapping } = item.options;
    const references = await this.references.of(item.ref, ['stage', 'ownerId']);
    const custom = references.customFields.active;
    const keys = new Set(custom.map(({ key }) => key));
    const [problem] = mapping ? mappingProblems(mapping, keys, names) : [];
    if (problem) throw new UnreadableFile(header.line, `${problem.field} ${problem.message}`);
    const suggested = mapping
      ? names.map((name) => mapping.find(({ column }) => column === name)?.field ?? null)
      : suggestFields(headers, custom);
    const columns = names.map((name, index) => ({
      name,
      header: headers[index]!,
      field: suggested[index]!,
      samples: [],
    }));
    const dates = [
      'eventDate',
      ...custom.filter(({ type }) => type === 'date').map(({ key }) => CUSTOM_PREFIX + key),
    ];
    return new FileCheck(item, { encoding, delimiter, columns }, references, new Set(dates));
  }
}

function unreadable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  throw error;
}
