import type { DomainEvent } from '../../../kernel/domain-event';
import type { ApiKeyId, WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ApiKey, ApiKeyView } from '../domain/api-key';

/**
 * The keys of one workspace and mode. `root` narrows them to that key and its descendants.
 *
 * A key is added below another only under the lock of that other key, and locks are taken from the top of a family
 * downwards. A locked family therefore gets no new members, and there are no deadlocks.
 */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey, events: DomainEvent[]): Promise<void>;
  /**
   * How many more live keys there may be, and the limit. True until the unit of work ends, because nothing else can add keys
   * meanwhile. Call it after all rows are locked.
   */
  abstract room(ref: WorkspaceRef, now: Date): Promise<{ left: number; max: number }>;
  /** Reads a key and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined>;
  /** Locks a key and its parent: a rotation puts another key between the two. */
  abstract lockBelowParent(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined>;
  /** Locks all descendants of a locked key. */
  abstract lockDescendants(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKey[]>;
  /** Writes a locked key. */
  abstract save(key: ApiKey, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined>;
  /** Every key of a workspace in both modes, oldest first. */
  abstract all(workspaceId: WorkspaceId): Promise<ApiKeyView[]>;
  abstract list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>>;
}
