import type { DomainEvent } from '../../../kernel/domain-event';
import type { ApiKeyId, WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ApiKey, ApiKeyView } from '../domain/api-key';

/** The keys of one workspace and mode. `root` narrows them to that key and those descended from it. */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey, events: DomainEvent[]): Promise<void>;
  /** Reads a key and keeps others from changing it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKey | undefined>;
  /** Writes a key that was locked. */
  abstract save(key: ApiKey, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView | undefined>;
  /** Every key of a workspace in both modes, oldest first. */
  abstract all(workspaceId: WorkspaceId): Promise<ApiKeyView[]>;
  abstract list(ref: WorkspaceRef, request: PageRequest, root?: ApiKeyId): Promise<Slice<ApiKeyView>>;
}
