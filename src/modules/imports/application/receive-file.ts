import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { ImportId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { ImportFiles } from './import-files';
import { ImportRepository } from './import-repository';
import { ImportRows } from './import-rows';

export const MAX_FILE_BYTES = 128 * 1024 ** 2;
/** Of a workspace and mode: files whose imports haven't started, rows that wait or have failed, and their problems. */
const MAX_STORED_BYTES = 2 * 1024 ** 3;

/** A file that was received whole, and belongs to no import yet. */
export interface ReceivedFile {
  readonly id: string;
  readonly bytes: number;
}

/** Stores a file while it arrives. `ChangeImport.takeFile` then gives it to its import. */
@Injectable()
export class ReceiveFile {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFiles,
    private readonly rows: ImportRows,
  ) {}

  /**
   * Before a file is read: whether there is such an import, and it takes a file.
   *
   * @throws ValidationFailed if it takes none any more
   */
  async expect(ref: WorkspaceRef, importId: ImportId): Promise<void> {
    const item = await this.imports.find(ref, importId);
    if (!item) throw new NotFound('import');
    item.refuseUnlessOpen();
  }

  /** @throws ValidationFailed if all files together would be too large */
  async receive(ref: WorkspaceRef, chunks: AsyncIterable<Buffer>): Promise<ReceivedFile> {
    const stored = (await this.files.storedBytes(ref)) + (await this.rows.storedBytes(ref));
    if (stored > MAX_STORED_BYTES - MAX_FILE_BYTES) {
      throw new ValidationFailed({
        field: 'file',
        message:
          'the files and failed rows of other imports take all the room: start or cancel open imports, or wait until old ones are dropped after 30 days',
      });
    }
    const id = await this.files.begin(ref);
    try {
      return { id, bytes: await this.store(ref, id, chunks) };
    } catch (error) {
      await this.drop(ref, id);
      throw error;
    }
  }

  /** Drops a file unless an import has it. */
  async drop(ref: WorkspaceRef, fileId: string): Promise<void> {
    await this.files.dropUnused(ref, fileId);
  }

  private async store(ref: WorkspaceRef, fileId: string, chunks: AsyncIterable<Buffer>): Promise<number> {
    let bytes = 0;
    let position = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) {
        const message = `must have at most ${MAX_FILE_BYTES / 1024 ** 2} MiB: divide it`;
        throw new ValidationFailed({ field: 'file', message });
      }
      if (!(await this.files.append(ref, fileId, position++, chunk))) {
        throw new ValidationFailed({ field: 'file', message: 'took too long to arrive: send it again' });
      }
    }
    return bytes;
  }
}
