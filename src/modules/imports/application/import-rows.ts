import type { FieldProblem } from '../../../kernel/errors';
import type { ImportId, LeadId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CheckClaim } from './check-queue';
import type { CsvRecord } from './csv-reader';

export const ROW_STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** What became of one row of the file. */
export interface RowResult {
  /** Of the row, from 1, without the header and empty lines. */
  number: number;
  /** Of the file, from 1: where the row begins. */
  line: number;
  status: RowStatus;
  leadId: LeadId | null;
  problems: readonly FieldProblem[];
}

/** Rows that are imported in one transaction. */
export interface Batch {
  /** From 0. */
  readonly number: number;
  /** The number of its first row. */
  readonly firstRow: number;
  readonly rows: readonly CsvRecord[];
}

/** The parsed rows of files, and their results. */
export abstract class ImportRows {
  /**
   * Stores a batch and extends the lease.
   *
   * @throws CheckLost
   */
  abstract addBatch(claim: CheckClaim, batch: Batch): Promise<void>;
  abstract findBatch(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string,
    number: number,
  ): Promise<Batch | undefined>;
  abstract dropBatch(ref: WorkspaceRef, importId: ImportId, checkId: string, number: number): Promise<void>;
  /** Drops the batches of all other checks; of all checks without one. */
  abstract dropBatches(ref: WorkspaceRef, importId: ImportId, exceptOf: string | null): Promise<void>;
  /** Drops the batches that will not be imported: those of the check from that number on, and all of other checks. */
  abstract dropUnimported(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string | null,
    from: number,
  ): Promise<void>;
  abstract addResults(ref: WorkspaceRef, importId: ImportId, results: readonly RowResult[]): Promise<void>;
  /** Of the batches of the workspace and mode, and about as many as the problems of failed rows take. */
  abstract storedBytes(ref: WorkspaceRef): Promise<number>;
  abstract dropResults(ref: WorkspaceRef, importId: ImportId): Promise<void>;
  abstract list(
    ref: WorkspaceRef,
    importId: ImportId,
    status: RowStatus | undefined,
    request: PageRequest<'number'>,
  ): Promise<Slice<RowResult>>;
  /** The rows that failed, with their cells, a batch at a time. */
  abstract failedRows(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string,
  ): AsyncIterable<(RowResult & { cells: readonly string[] })[]>;
}
