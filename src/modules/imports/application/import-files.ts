import type { WorkspaceRef } from '../../../kernel/principal';

/** The bytes of uploaded files, in the database: instances share no disk. */
export abstract class ImportFiles {
  /** Begins a file that nothing refers to yet, and returns its id. */
  abstract begin(ref: WorkspaceRef): Promise<string>;
  /** @returns false if the file was dropped meanwhile */
  abstract append(ref: WorkspaceRef, fileId: string, position: number, bytes: Buffer): Promise<boolean>;
  abstract read(ref: WorkspaceRef, fileId: string): AsyncIterable<Buffer>;
  abstract drop(ref: WorkspaceRef, fileId: string): Promise<void>;
  /** Drops a file to which no import refers. */
  abstract dropUnused(ref: WorkspaceRef, fileId: string): Promise<void>;
  /** Of all files of the workspace and mode. */
  abstract storedBytes(ref: WorkspaceRef): Promise<number>;
  /** Drops files older than that to which no import refers: uploads that broke off. */
  abstract dropAbandoned(before: Date): Promise<void>;
}
