import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Import } from '../domain/import';
import { ImportFiles } from './import-files';
import { ImportRepository } from './import-repository';
import { ImportRows } from './import-rows';

const DAY_MS = 24 * 3600 * 1000;
export const KEEP_MS = 30 * DAY_MS;
const AT_ONCE = 20;

/** Drops files and rows 30 days after the import was created. The import itself stays, with its counts. */
@Injectable()
export class DropImports {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly rows: ImportRows,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now().getTime();
    await this.files.dropAbandoned(new Date(now - DAY_MS));
    let expired: Import[];
    do {
      expired = await this.imports.findExpired(new Date(now - KEEP_MS), AT_ONCE);
      for (const item of expired) {
        if (signal?.aborted) return;
        await this.drop(item);
      }
    } while (expired.length === AT_ONCE);
  }

  /** An import that never started ends with its file. */
  private async drop({ ref, id }: Import): Promise<void> {
    await this.unitOfWork.run(async () => {
      const item = await this.imports.lock(ref, id);
      if (!item) return;
      if (item.fileId) await this.files.drop(ref, item.fileId);
      item.forget(this.clock.now());
      await this.imports.save(item);
    });
    await this.rows.dropBatches(ref, id, null);
    await this.rows.dropResults(ref, id);
    await this.unitOfWork.run(async () => {
      const item = await this.imports.lock(ref, id);
      if (item) await this.imports.markDropped(item, this.clock.now());
    });
  }
}
