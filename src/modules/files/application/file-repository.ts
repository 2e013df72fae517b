import type { FileId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { EncodedImage, Rendition, StoredFile } from '../domain/file';

/** What shows a file: a version of a proposal, or the brand of a workspace and mode. */
export interface FileUser {
  readonly kind: 'proposal' | 'brand';
  /** A TypeID. */
  readonly id: `${string}_${string}`;
}

export interface FileUse extends FileUser {
  readonly isPublic: boolean;
}

export interface FileContent extends Rendition {
  readonly content: Buffer;
}

/** A port: where images are kept. Its content is never changed, only added and deleted. */
export abstract class FileRepository {
  /** @returns false if the files of the workspace and mode would then be too many or too large */
  abstract add(file: StoredFile, image: EncodedImage): Promise<boolean>;
  /** Whether there is room for another file. */
  abstract hasRoom(ref: WorkspaceRef): Promise<boolean>;
  abstract find(ref: WorkspaceRef, id: FileId): Promise<StoredFile | undefined>;
  abstract findAll(ref: WorkspaceRef, ids: readonly FileId[]): Promise<StoredFile[]>;
  abstract list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Slice<StoredFile>>;
  /** Locks a file against new uses, until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: FileId): Promise<StoredFile | undefined>;
  /** Locks files against deletion, and returns those that there are. */
  abstract hold(ref: WorkspaceRef, ids: readonly FileId[]): Promise<Set<FileId>>;
  abstract delete(file: StoredFile): Promise<void>;
  abstract content(ref: WorkspaceRef, id: FileId, rendition: string): Promise<FileContent | undefined>;
  /** The same by its public address, while something public shows the file. */
  abstract publicContent(token: string, rendition: string): Promise<FileContent | undefined>;
  /** At most that many. */
  abstract usesOf(ref: WorkspaceRef, id: FileId, atMost: number): Promise<FileUse[]>;
  abstract replaceUses(
    ref: WorkspaceRef,
    user: FileUser,
    ids: readonly FileId[],
    isPublic: boolean,
  ): Promise<void>;
  abstract publish(ref: WorkspaceRef, user: FileUser): Promise<void>;
}
