import type { DomainEvent } from '../../../kernel/domain-event';
import type { ApiKeyId, WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ApiKey, ApiKeyView } from '../domain/api-key';

/**
 * The keys of one workspace and mode. `root` narrows them to that key and those descended from it.
 *
 * A key is put beneath another only by whoever holds the lock of that other, and locks are taken from the top of a
 * family downwards. So a family that is locked gets no new members, and no two units of work wait for each other.
 */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey, events: DomainEvent[]): Promise<void>;
  /**
   * How many more live keys there may be, and how many in all. Holds until the unit of work ends, as no other adds keys
   * meanwhile: ask after every row is locked.
   */
  abstract room(ref: WorkspaceRef, now: Date): Promise<{ left: number; max: number }>;
  /** Reads a key and keeps others from changing it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined>;
  /** The same with its parent: to rotate a key is to put another one between the two. */
  abstract lockBelowParent(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined>;
  /** The same of all that descend from a key that was locked. */
  abstract lockDescendants(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKey[]>;
  /** Writes a key that was locked. */
  abstract save(key: ApiKey, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined>;
  /** Every key of a workspace in both modes, oldest first. */
  abstract all(workspaceId: WorkspaceId): Promise<ApiKeyView[]>;
  abstract list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>>;
}
