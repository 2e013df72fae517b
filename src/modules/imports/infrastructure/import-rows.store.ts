import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { FieldProblem } from '../../../kernel/errors';
import { fromUuid, type ImportId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { type PageRow, toSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type CheckClaim, CheckLost } from '../application/check-queue';
import type { CsvRecord } from '../application/csv-reader';
import { type Batch, ImportRows, type RowResult, type RowStatus } from '../application/import-rows';
import { CHECK_LEASE_MS } from './check-queue';

/** Rows of a table that one statement deletes. */
const DELETED_BATCHES = 50;
const DELETED_RESULTS = 5000;
/** The problems of a row, roughly. */
const BYTES_OF_FAILURE = 200;

interface ResultRow {
  id: string;
  line: number;
  status: RowStatus;
  lead_id: string | null;
  problems: FieldProblem[] | null;
}

/** Cells are stored as bytes: PostgreSQL's texts can't have every character of a file, and nothing searches them. */
@Injectable()
export class PostgresImportRows extends ImportRows {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async addBatch({ ref, id, token }: CheckClaim, { number, firstRow, rows }: Batch): Promise<void> {
    const until = new Date(this.clock.now().getTime() + CHECK_LEASE_MS);
    const added = await this.database.sql(
      `WITH held AS (
         UPDATE imports SET due_at = $8 WHERE ${IN_WORKSPACE} AND id = $3 AND claim = $4 AND status = 'checking' RETURNING 1
       )
       INSERT INTO import_batches (workspace_id, mode, import_id, check_id, number, first_row, rows)
       SELECT $1, $2, $3, $4, $5::int, $6::int, $7::bytea FROM held RETURNING 1`,
      [...workspaceKey(ref, id), token, number, firstRow, encode(rows), until],
    );
    if (added.length === 0) throw new CheckLost();
  }

  async findBatch(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string,
    number: number,
  ): Promise<Batch | undefined> {
    const [row] = await this.database.sql<{ first_row: number; rows: Buffer }>(
      `SELECT first_row, rows FROM import_batches WHERE ${IN_WORKSPACE} AND import_id = $3 AND check_id = $4 AND number = $5`,
      [...workspaceKey(ref, importId), checkId, number],
    );
    return row && { number, firstRow: row.first_row, rows: decode(row.rows) };
  }

  async dropBatch(ref: WorkspaceRef, importId: ImportId, checkId: string, number: number): Promise<void> {
    await this.database.sql(
      `DELETE FROM import_batches WHERE ${IN_WORKSPACE} AND import_id = $3 AND check_id = $4 AND number = $5`,
      [...workspaceKey(ref, importId), checkId, number],
    );
  }

  dropBatches(ref: WorkspaceRef, importId: ImportId, exceptOf: string | null): Promise<void> {
    const condition = 'check_id IS DISTINCT FROM $4::uuid';
    return this.dropAll(
      'import_batches',
      condition,
      [...workspaceKey(ref, importId), exceptOf],
      DELETED_BATCHES,
    );
  }

  dropUnimported(ref: WorkspaceRef, importId: ImportId, checkId: string | null, from: number): Promise<void> {
    const condition = '(check_id IS DISTINCT FROM $4::uuid OR number >= $5::int)';
    return this.dropAll(
      'import_batches',
      condition,
      [...workspaceKey(ref, importId), checkId, from],
      DELETED_BATCHES,
    );
  }

  /** The length of a value is known without reading it. */
  async storedBytes(ref: WorkspaceRef): Promise<number> {
    const [row] = await this.database.sql<{ bytes: string }>(
      `SELECT (SELECT coalesce(sum(octet_length(rows)), 0) FROM import_batches WHERE ${IN_WORKSPACE})
         + (SELECT coalesce(sum(failed), 0) * ${BYTES_OF_FAILURE} FROM imports
            WHERE ${IN_WORKSPACE} AND failed > 0 AND dropped_at IS NULL) AS bytes`,
      workspaceKey(ref),
    );
    return Number(row!.bytes);
  }

  async addResults(ref: WorkspaceRef, importId: ImportId, results: readonly RowResult[]): Promise<void> {
    await this.database.sql(
      `INSERT INTO import_rows (workspace_id, mode, import_id, number, line, status, lead_id, problems)
       SELECT $1, $2, $3, * FROM unnest($4::int[], $5::int[], $6::text[], $7::uuid[], $8::json[])`,
      [
        ...workspaceKey(ref, importId),
        results.map(({ number }) => number),
        results.map(({ line }) => line),
        results.map(({ status }) => status),
        results.map(({ leadId }) => leadId && toUuid(leadId)),
        results.map(({ problems }) => (problems.length > 0 ? JSON.stringify(problems) : null)),
      ],
    );
  }

  dropResults(ref: WorkspaceRef, importId: ImportId): Promise<void> {
    return this.dropAll('import_rows', 'true', workspaceKey(ref, importId), DELETED_RESULTS);
  }

  async list(
    ref: WorkspaceRef,
    importId: ImportId,
    status: RowStatus | undefined,
    { after, page, limit }: PageRequest<'number'>,
  ): Promise<Slice<RowResult>> {
    const parameters = new Parameters();
    const within = [...parameters.inWorkspace(ref), `import_id = ${parameters.add(toUuid(importId))}`];
    const conditions = [
      ...within,
      ...parameters.when(status, (place) => `status = ${place}`),
      ...parameters.when(after && Number(after.id), (place) => `number > ${place}::int`),
    ];
    const offset = after ? 0 : (page - 1) * limit;
    const rows = await this.database.sql<PageRow<ResultRow>>(
      `SELECT counted.total_count, page.* FROM (
         SELECT CASE WHEN dropped_at IS NULL THEN ${status ?? 'created + updated + unchanged + failed'} ELSE 0 END AS total_count
         FROM imports
         WHERE ${within.join(' AND ').replace('import_id', 'id')}
       ) AS counted LEFT JOIN (
         SELECT number::text AS id, line, status, lead_id, problems FROM import_rows
         WHERE ${conditions.join(' AND ')}
         ORDER BY number LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(offset)}::bigint
       ) AS page ON true ORDER BY page.id::int`,
      parameters.values,
    );
    return toSlice<ResultRow, RowResult>(rows, limit, toResult);
  }

  async *failedRows(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string,
  ): AsyncGenerator<(RowResult & { cells: readonly string[] })[]> {
    for (let next = 0; ;) {
      const batch = await this.firstKept(ref, importId, checkId, next);
      if (!batch) return;
      const failed = await this.failedIn(ref, importId, batch);
      // The rows of a batch that is yet to be imported have no results.
      if (failed.length > 0) {
        yield failed.map((row) => ({ ...row, cells: batch.rows[row.number - batch.firstRow]!.cells }));
      }
      next = batch.number + 1;
    }
  }

  private async firstKept(
    ref: WorkspaceRef,
    importId: ImportId,
    checkId: string,
    from: number,
  ): Promise<Batch | undefined> {
    const [row] = await this.database.sql<{ number: number; first_row: number; rows: Buffer }>(
      `SELECT number, first_row, rows FROM import_batches
       WHERE ${IN_WORKSPACE} AND import_id = $3 AND check_id = $4 AND number >= $5 ORDER BY number LIMIT 1`,
      [...workspaceKey(ref, importId), checkId, from],
    );
    return row && { number: row.number, firstRow: row.first_row, rows: decode(row.rows) };
  }

  private async failedIn(
    ref: WorkspaceRef,
    importId: ImportId,
    { firstRow, rows }: Batch,
  ): Promise<RowResult[]> {
    const found = await this.database.sql<ResultRow>(
      `SELECT number::text AS id, line, status, lead_id, problems FROM import_rows
       WHERE ${IN_WORKSPACE} AND import_id = $3 AND status = 'failed' AND number >= $4 AND number < $5 ORDER BY number`,
      [...workspaceKey(ref, importId), firstRow, firstRow + rows.length],
    );
    return found.map(toResult);
  }

  private async dropAll(table: string, condition: string, values: unknown[], atOnce: number): Promise<void> {
    let dropped: number;
    do {
      const rows = await this.database.sql(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE ${IN_WORKSPACE} AND import_id = $3 AND ${condition} LIMIT ${atOnce}
         )) RETURNING 1`,
        values,
      );
      dropped = rows.length;
    } while (dropped === atOnce);
  }
}

function toResult({ id, line, status, lead_id, problems }: ResultRow): RowResult {
  const leadId = lead_id === null ? null : fromUuid('lead', lead_id);
  return { number: Number(id), line, status, leadId, problems: problems ?? [] };
}

function encode(rows: readonly CsvRecord[]): Buffer {
  return Buffer.from(JSON.stringify(rows.map(({ line, cells }) => [line, ...cells])));
}

function decode(bytes: Buffer): CsvRecord[] {
  const rows = JSON.parse(bytes.toString()) as [number, ...string[]][];
  return rows.map(([line, ...cells]) => ({ line, cells }));
}
