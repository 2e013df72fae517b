import type { DomainEvent } from '../../../kernel/domain-event';
import type { ImportId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Import } from '../domain/import';
import type { ImportView } from '../domain/import-view';

export abstract class ImportRepository {
  abstract add(item: Import): Promise<void>;
  abstract find(ref: WorkspaceRef, id: ImportId): Promise<Import | undefined>;
  /** Reads an import and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ImportId): Promise<Import | undefined>;
  /** Writes a locked import. */
  abstract save(item: Import, events?: readonly DomainEvent[]): Promise<void>;
  abstract list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Slice<ImportView>>;
  /** How many imports of the workspace and mode haven't ended. */
  abstract countOpen(ref: WorkspaceRef): Promise<number>;
  /** The import that is running. Until the unit of work ends, no other one of the workspace and mode starts. */
  abstract holdStart(ref: WorkspaceRef): Promise<ImportId | undefined>;
  /**
   * Locks a running import that is due. Each turn takes the one that has waited for most turns, and none that another transaction
   * has locked.
   */
  abstract lockNext(now: Date): Promise<Import | undefined>;
  /** Imports that were created before, with data that is left. */
  abstract findExpired(before: Date, atMost: number): Promise<Import[]>;
  /** Records that an import has no data any more. */
  abstract markDropped(item: Import, now: Date): Promise<void>;
}
