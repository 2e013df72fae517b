import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { ImportId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Import } from '../domain/import';
import type { ImportView } from '../domain/import-view';
import type { ImportOptions } from '../domain/import-options';
import { ImportFiles } from './import-files';
import { ImportRepository } from './import-repository';
import { ImportRows } from './import-rows';
import { OptionChecks } from './option-checks';

/** Changes of an import by its client, each under the lock of its row. */
@Injectable()
export class ChangeImport {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly rows: ImportRows,
    private readonly checks: OptionChecks,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A file that was received is checked again. */
  async update(
    ref: WorkspaceRef,
    id: ImportId,
    options: Partial<ImportOptions>,
    seen?: Precondition,
  ): Promise<ImportView> {
    // A wrong option is told before an unknown id; which columns there are only the import knows.
    await this.checks.refuseProblems(ref, options);
    return this.change(ref, id, seen, async (item) => {
      item.refuseUnlessOpen();
      const columns = item.report?.columns.map(({ name }) => name);
      await this.checks.refuseProblems(ref, options, columns);
      return item.change(options, this.clock.now());
    });
  }

  /** @throws ValidationFailed if another import of the workspace and mode is running, among others */
  start(ref: WorkspaceRef, id: ImportId, seen?: Precondition): Promise<ImportView> {
    return this.unitOfWork.run(async () => {
      const running = await this.imports.holdStart(ref);
      return this.change(ref, id, seen, (item) => {
        if (running === id) return false;
        item.start(this.clock.now());
        if (running) {
          throw new ValidationFailed({
            field: 'status',
            message: `the import ${running} is running: one at a time can. Start this one when it has ended`,
          });
        }
        return true;
      });
    });
  }

  /** Rows that are imported stay. */
  cancel(ref: WorkspaceRef, id: ImportId, seen?: Precondition): Promise<ImportView> {
    return this.change(ref, id, seen, async (item) => {
      if (!item.cancel(this.clock.now())) return false;
      await this.dropFile(item);
      await this.rows.dropUnimported(ref, id, item.checkId, item.nextBatch);
      return true;
    });
  }

  /** A file that was received whole becomes the import’s. */
  takeFile(ref: WorkspaceRef, id: ImportId, fileId: string, seen?: Precondition): Promise<ImportView> {
    return this.change(ref, id, seen, async (item) => {
      item.refuseUnlessOpen();
      await this.dropFile(item);
      item.take(fileId, this.clock.now());
      return true;
    });
  }

  private async dropFile(item: Import): Promise<void> {
    if (item.fileId) await this.files.drop(item.ref, item.fileId);
    item.fileId = null;
  }

  private change(
    ref: WorkspaceRef,
    id: ImportId,
    seen: Precondition | undefined,
    apply: (item: Import) => Promise<boolean> | boolean,
  ): Promise<ImportView> {
    return this.unitOfWork.run(async () => {
      const item = await this.imports.lock(ref, id);
      if (!item) throw new NotFound('import');
      seen?.check(item.view());
      if (await apply(item)) await this.imports.save(item);
      return item.view();
    });
  }
}
