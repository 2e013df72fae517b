import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { ImportId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Import } from '../domain/import';
import type { ImportView } from '../domain/import-view';
import { ImportRepository } from './import-repository';
import { ImportRows, type RowResult, type RowStatus } from './import-rows';

/** The rows that failed, as they were in the file. */
export interface FailedRows {
  /** The header of the file. */
  readonly header: readonly string[];
  readonly rows: AsyncIterable<(RowResult & { cells: readonly string[] })[]>;
}

@Injectable()
export class ImportQueries {
  constructor(
    private readonly imports: ImportRepository,
    private readonly rows: ImportRows,
  ) {}

  async get(ref: WorkspaceRef, id: ImportId): Promise<ImportView> {
    return (await this.find(ref, id)).view();
  }

  async list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Page<ImportView>> {
    const slice = await this.imports.list(ref, request);
    return pageOf(request, slice, ({ createdAt, id }) => ({ value: createdAt.toISOString(), id }));
  }

  /** The results of rows, in the order of the file. */
  async listRows(
    ref: WorkspaceRef,
    id: ImportId,
    status: RowStatus | undefined,
    request: PageRequest<'number'>,
  ): Promise<Page<RowResult>> {
    await this.find(ref, id);
    const slice = await this.rows.list(ref, id, status, request);
    return pageOf(request, slice, ({ number }) => ({ value: String(number), id: String(number) }));
  }

  async failedRows(ref: WorkspaceRef, id: ImportId): Promise<FailedRows> {
    const { report, checkId } = await this.find(ref, id);
    if (!report || !checkId) return { header: [], rows: nothing() };
    return {
      header: report.columns.map(({ header }) => header),
      rows: this.rows.failedRows(ref, id, checkId),
    };
  }

  private async find(ref: WorkspaceRef, id: ImportId): Promise<Import> {
    const item = await this.imports.find(ref, id);
    if (!item) throw new NotFound('import');
    return item;
  }
}

async function* nothing(): AsyncGenerator<never> {}
