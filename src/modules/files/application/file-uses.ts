import { Injectable } from '@nestjs/common';
import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import type { FileId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { FileRepository, type FileUser } from './file-repository';

/** A field that refers to a file. */
export interface FileReference {
  /** Its path, for problems. */
  readonly field: string;
  readonly id: FileId;
}

/** Which files are shown, and by what: others can be deleted, and only what is public opens their addresses. */
@Injectable()
export class FileUses {
  constructor(private readonly files: FileRepository) {}

  /**
   * Replaces the files that `user` shows. Call it in the unit of work that stores the references.
   *
   * @throws ValidationFailed for a file that there isn't
   */
  async replace(
    ref: WorkspaceRef,
    user: FileUser,
    references: readonly FileReference[],
    { isPublic = false } = {},
  ): Promise<void> {
    const ids = [...new Set(references.map(({ id }) => id))];
    const found = ids.length > 0 ? await this.files.hold(ref, ids) : new Set();
    const problems = references
      .filter(({ id }) => !found.has(id))
      .map(({ field }): FieldProblem => ({ field, message: 'is no file of this workspace and mode' }));
    const [first, ...more] = problems;
    if (first) throw new ValidationFailed(first, ...more);
    await this.files.replaceUses(ref, user, ids, isPublic);
  }

  /** Opens the public addresses of the files that `user` shows. */
  publish(ref: WorkspaceRef, user: FileUser): Promise<void> {
    return this.files.publish(ref, user);
  }
}
