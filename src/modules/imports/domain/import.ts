import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type ImportId, newId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';
import { type ColumnMapping, type DateFormat, DEFAULT_OPTIONS, type ImportOptions } from './import-options';
import type { Counts, Failure, Importer, ImportStatus, ImportView } from './import-view';
import { type CheckReport, ownValue, withoutCells } from './report';

/** Consecutive failures of a step, after which an import is given up. */
const MAX_ATTEMPTS = 12;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 5 * 60_000;

const UNCHANGEABLE: Partial<Record<ImportStatus, string>> = {
  importing: 'the import is running; cancel it, and create another one',
  completed: 'the import is completed; create another one',
  cancelled: 'the import is cancelled; create another one',
};

/** A file of leads on its way into a workspace. */
export class Import implements Counts {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: ImportId;
  status!: ImportStatus;
  options!: ImportOptions;
  /** The file that was received whole. */
  fileId!: string | null;
  /** The check that holds the lease of the file, while there is one. */
  claim!: string | null;
  /** The check that made the report and the batches of rows. */
  checkId!: string | null;
  report!: CheckReport | null;
  /** The number of the batch that is imported next. */
  nextBatch!: number;
  created!: number;
  updated!: number;
  unchanged!: number;
  failed!: number;
  failure!: Failure | null;
  /** Consecutive failures of the next step, which is due from that time on. */
  attempts!: number;
  dueAt!: Date;
  readonly createdBy!: Importer;
  readonly createdAt!: Date;
  updatedAt!: Date;
  startedAt!: Date | null;
  finishedAt!: Date | null;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(
    { workspaceId, mode }: WorkspaceRef,
    { type, id, name }: Importer,
    options: Partial<ImportOptions>,
    now: Date,
  ): Import {
    return new Import({
      workspaceId,
      mode,
      id: newId('imp'),
      status: 'awaiting_file',
      options: { ...DEFAULT_OPTIONS, ...options },
      fileId: null,
      claim: null,
      checkId: null,
      report: null,
      nextBatch: 0,
      ...{ created: 0, updated: 0, unchanged: 0, failed: 0 },
      failure: null,
      attempts: 0,
      dueAt: now,
      createdBy: { type, id, name },
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      finishedAt: null,
      revision: 1,
    });
  }

  get ref(): WorkspaceRef {
    const { workspaceId, mode } = this;
    return { workspaceId, mode };
  }

  /** The mapping in use: the client's, or what the headers suggest. */
  get mapping(): ColumnMapping[] {
    const { mapping } = this.options;
    if (mapping) return mapping;
    return (this.report?.columns ?? []).flatMap(({ name, field }) =>
      field ? [{ column: name, field }] : [],
    );
  }

  get processed(): number {
    return this.created + this.updated + this.unchanged + this.failed;
  }

  formatOf(column: string): DateFormat | undefined {
    return this.options.dateFormat ?? ownValue(this.report?.dateFormats ?? {}, column);
  }

  /** @throws ValidationFailed once it has started or ended */
  refuseUnlessOpen(): void {
    const reason = UNCHANGEABLE[this.status] ?? (this.startedAt && UNCHANGEABLE.completed);
    if (reason) throw new ValidationFailed({ field: 'status', message: reason });
  }

  /** A file was received, in place of any before it. */
  take(fileId: string, now: Date): void {
    this.refuseUnlessOpen();
    this.fileId = fileId;
    this.checkAgain(now);
  }

  /** @returns false if every option is as it was */
  change(options: Partial<ImportOptions>, now: Date): boolean {
    this.refuseUnlessOpen();
    const changed = { ...this.options, ...options };
    if (JSON.stringify(changed) === JSON.stringify(this.options)) return false;
    this.options = changed;
    if (this.fileId) this.checkAgain(now);
    else this.touch(now);
    return true;
  }

  endCheck(report: CheckReport, now: Date): void {
    this.status = 'ready';
    this.checkId = this.claim;
    this.report = report;
    this.touch(now);
  }

  /** The file can't be read. Another file or other options lead to another check. */
  refuseFile(failure: Failure, now: Date): DomainEvent {
    this.status = 'failed';
    this.failure = failure;
    this.touch(now);
    return this.event('import.failed');
  }

  /** @throws ValidationFailed unless the file was checked, every question answered, and some row can be imported */
  start(now: Date): void {
    if (this.status !== 'ready') {
      this.refuseUnlessOpen();
      const message = `the import is ${this.status}: it can start once it is ready`;
      throw new ValidationFailed({ field: 'status', message });
    }
    const { ambiguous, willCreate, willUpdate, problems } = this.report!;
    const [question] = ambiguous;
    if (question) throw new ValidationFailed({ field: question.field, message: question.message });
    if (willCreate + willUpdate === 0) {
      const [first] = problems;
      const reason = first ? `: in most, ${first.field} ${first.message}` : '';
      throw new ValidationFailed({
        field: 'mapping',
        message: `no row of the file can be imported${reason}`,
      });
    }
    this.status = 'importing';
    this.startedAt = now;
    this.attempts = 0;
    this.dueAt = now;
    this.report = { ...this.report!, preview: [], ambiguous: [] };
    this.touch(now);
  }

  /** @returns false if it was cancelled before */
  cancel(now: Date): boolean {
    if (this.status === 'cancelled') return false;
    if (this.finishedAt) {
      throw new ValidationFailed({
        field: 'status',
        message: `the import is ${this.status}: it can’t be cancelled`,
      });
    }
    this.status = 'cancelled';
    this.finishedAt = now;
    this.touch(now);
    return true;
  }

  /** A batch was imported. */
  count(counts: Counts, now: Date): void {
    this.created += counts.created;
    this.updated += counts.updated;
    this.unchanged += counts.unchanged;
    this.failed += counts.failed;
    this.nextBatch++;
    this.attempts = 0;
    this.touch(now);
  }

  complete(now: Date): DomainEvent {
    this.status = 'completed';
    this.finishedAt = now;
    this.touch(now);
    return this.event('import.completed');
  }

  /** A step failed without the fault of a row. Returns the event if that was the last attempt. */
  postpone(now: Date): DomainEvent[] {
    this.attempts++;
    this.dueAt = new Date(now.getTime() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.attempts - 1)));
    if (this.attempts < MAX_ATTEMPTS) return [];
    this.status = 'failed';
    this.finishedAt = now;
    this.failure = {
      line: null,
      message: `an unexpected error kept coming back after ${this.processed} rows: these are imported, the rest isn’t`,
    };
    this.touch(now);
    return [this.event('import.failed')];
  }

  /** Its file and rows are dropped, and nothing of its cells stays. */
  forget(now: Date): void {
    this.fileId = null;
    this.report &&= withoutCells(this.report);
    if (this.finishedAt) this.touch(now);
    else this.cancel(now);
  }

  view(): ImportView {
    const { id, status, options, report, processed, created, updated, unchanged, failed, failure } = this;
    const { createdBy, createdAt, updatedAt, startedAt, finishedAt, revision } = this;
    return {
      ...{ id, status },
      ...options,
      encoding: options.encoding ?? report?.encoding ?? null,
      delimiter: options.delimiter ?? report?.delimiter ?? null,
      columns: report?.columns ?? [],
      preview: report?.preview ?? [],
      problems: report?.problems ?? [],
      ambiguous: report?.ambiguous ?? [],
      rows: report?.rows ?? null,
      willCreate: report?.willCreate ?? null,
      willUpdate: report?.willUpdate ?? null,
      willFail: report?.willFail ?? null,
      ...{ processed, created, updated, unchanged, failed, failure },
      ...{ createdBy, createdAt, updatedAt, startedAt, finishedAt, revision },
    };
  }

  private checkAgain(now: Date): void {
    this.status = 'checking';
    this.report = null;
    this.claim = null;
    this.checkId = null;
    this.failure = null;
    this.attempts = 0;
    this.dueAt = now;
    this.touch(now);
  }

  private touch(now: Date): void {
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }

  private event(type: string): DomainEvent {
    return domainEvent({ type, workspace: this.ref, timestamp: this.updatedAt, data: this.view() });
  }
}
