import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { causedBy } from '../../../kernel/current-cause';
import { slices } from '../../../kernel/slices';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type LeadWritten, WriteLeads } from '../../leads';
import type { Import } from '../domain/import';
import type { Counts } from '../domain/import-view';
import { firstProblems } from '../domain/report';
import { ImportFiles } from './import-files';
import { ImportRepository } from './import-repository';
import { type Batch, ImportRows, type RowResult } from './import-rows';
import { LeadReferences } from './lead-references';
import { type RowLead, RowLeads } from './row-leads';

/** A step of an import failed, and is due again later. */
export class StepFailed extends Error {
  constructor(
    readonly importId: string,
    cause: unknown,
  ) {
    super('a step of an import failed', { cause });
  }
}

/**
 * Imports leads, a batch of rows in each transaction: the leads, their events, the results of the rows and the mark of how far
 * the import is. Whenever a process dies, another one goes on at the exact row. The lock of the import keeps two instances from
 * taking the same batch.
 */
@Injectable()
export class ImportLeads {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly rows: ImportRows,
    private readonly references: LeadReferences,
    private readonly writeLeads: WriteLeads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one step of one import. Returns 0 if none is due.
   *
   * @throws StepFailed
   */
  async execute(): Promise<number> {
    let current: Import | undefined;
    try {
      return await this.unitOfWork.run(async () => {
        current = await this.imports.lockNext(this.clock.now());
        if (!current) return 0;
        const item = current;
        await causedBy({ type: 'import', id: item.id }, () => this.step(item));
        return 1;
      });
    } catch (error) {
      if (!current) throw error;
      await this.postpone(current);
      throw new StepFailed(current.id, error);
    }
  }

  private async step(item: Import): Promise<void> {
    const { ref, id, checkId, nextBatch } = item;
    // From here on, its rows are all that is needed.
    if (item.fileId) {
      await this.files.drop(ref, item.fileId);
      item.fileId = null;
      return this.imports.save(item);
    }
    const batch = await this.rows.findBatch(ref, id, checkId!, nextBatch);
    if (!batch) return this.imports.save(item, [item.complete(this.clock.now())]);
    const results = await this.write(item, batch);
    const counts = countsOf(results);
    await this.rows.addResults(ref, id, results);
    if (counts.failed === 0) await this.rows.dropBatch(ref, id, checkId!, nextBatch);
    item.count(counts, this.clock.now());
    await this.imports.save(item);
  }

  private async write(item: Import, { firstRow, rows }: Batch): Promise<RowResult[]> {
    const columns = item.report!.columns.map(({ name }) => name);
    const fields = item.mapping.map(({ field }) => field);
    const leads = new RowLeads(item, columns, await this.references.of(item.ref, fields));
    const others = slices();
    const writes: RowLead['write'][] = [];
    for (const { cells } of rows) {
      writes.push(leads.read(cells).write);
      await others();
    }
    const acting: ActingRef = { ...item.ref, actor: { ...item.createdBy, address: null } };
    const written = await this.writeLeads.run(acting, writes, { atomic: false });
    return rows.map(({ line }, index) => ({ number: firstRow + index, line, ...resultOf(written[index]!) }));
  }

  private postpone({ ref, id }: Import): Promise<void> {
    return this.unitOfWork.run(async () => {
      const item = await this.imports.lock(ref, id);
      if (item?.status !== 'importing') return;
      await this.imports.save(item, item.postpone(this.clock.now()));
      if (item.finishedAt) await this.rows.dropUnimported(ref, id, item.checkId, item.nextBatch);
    });
  }
}

function resultOf(written: LeadWritten): Pick<RowResult, 'status' | 'leadId' | 'problems'> {
  return written.status === 'failed'
    ? { status: 'failed', leadId: null, problems: firstProblems(written.problems) }
    : { status: written.status, leadId: written.lead.id, problems: [] };
}

function countsOf(results: readonly RowResult[]): Counts {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}
