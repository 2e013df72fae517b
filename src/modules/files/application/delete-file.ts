import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { FileId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { FileView } from '../domain/file';
import { FileViews } from './file-links';
import { FileRepository, type FileUse } from './file-repository';

const MOST_NAMED = 3;

@Injectable()
export class DeleteFile {
  constructor(
    private readonly files: FileRepository,
    private readonly views: FileViews,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws ValidationFailed while something shows it */
  execute(ref: WorkspaceRef, id: FileId): Promise<FileView> {
    return this.unitOfWork.run(async () => {
      const file = await this.files.lock(ref, id);
      if (!file) throw new NotFound('file');
      const uses = await this.files.usesOf(ref, id, MOST_NAMED + 1);
      if (uses.length > 0) throw new ValidationFailed({ field: 'id', message: usedBy(uses) });
      await this.files.delete(file);
      return this.views.of(file);
    });
  }
}

function usedBy(uses: readonly FileUse[]): string {
  const named = uses.slice(0, MOST_NAMED).map(({ kind, id }) => (kind === 'brand' ? 'the brand' : id));
  const others = uses.length > MOST_NAMED ? ' and others' : '';
  return `is shown by ${named.join(', ')}${others}. Remove it from drafts and the brand first; sent proposals keep their images`;
}
