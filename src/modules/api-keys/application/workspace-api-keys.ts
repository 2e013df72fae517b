import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ApiKeyId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ApiKeyView } from '../domain/api-key';

/** A key with its place in the lineage, which the API doesn't show. */
export interface ApiKeyInFamily extends ApiKeyView {
  /** The key that it descends from: its creator or, after a rotation, its successor. */
  readonly parentId: ApiKeyId | null;
}

export interface ApiKeyLineage {
  readonly key: ApiKeyInFamily;
  readonly parent: ApiKeyInFamily | null;
  /** The key that created this one; null if a person or the operator did. */
  readonly maker: ApiKeyInFamily | null;
  /** The live descendants, each after the key that it descends from. Children have depth 1. */
  readonly descendants: (ApiKeyInFamily & { readonly depth: number })[];
}

export abstract class ApiKeyFamilyReader {
  abstract find(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyInFamily | undefined>;
  abstract list(ref: WorkspaceRef, request: PageRequest): Promise<Slice<ApiKeyInFamily>>;
  abstract namesOf(ref: WorkspaceRef, ids: readonly ApiKeyId[]): Promise<Map<ApiKeyId, string>>;
  /** Whether any key of the workspace, in either mode, has ever called the API. */
  abstract hasUsed(workspaceId: WorkspaceId): Promise<boolean>;
  abstract descendants(ref: WorkspaceRef, id: ApiKeyId, now: Date): Promise<ApiKeyLineage['descendants']>;
}

/** Reads for people, who see all keys of their workspace. */
@Injectable()
export class WorkspaceApiKeys {
  constructor(
    private readonly reader: ApiKeyFamilyReader,
    private readonly clock: Clock,
  ) {}

  /** The only sort is `createdAt`. */
  async list(ref: WorkspaceRef, request: PageRequest): Promise<Page<ApiKeyInFamily>> {
    const slice = await this.reader.list(ref, request);
    return pageOf(request, slice, ({ createdAt, id }) => ({ value: createdAt.toISOString(), id }));
  }

  namesOf(ref: WorkspaceRef, ids: readonly ApiKeyId[]): Promise<Map<ApiKeyId, string>> {
    return this.reader.namesOf(ref, ids);
  }

  hasUsed(workspaceId: WorkspaceId): Promise<boolean> {
    return this.reader.hasUsed(workspaceId);
  }

  async get(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyLineage> {
    const key = await this.reader.find(ref, id);
    if (!key) throw new NotFound('API key');
    const find = async (other: string | null) =>
      (other?.startsWith('key_') && (await this.reader.find(ref, other as ApiKeyId))) || null;
    return {
      key,
      parent: await find(key.parentId),
      maker: await find(key.createdBy),
      descendants: await this.reader.descendants(ref, id, this.clock.now()),
    };
  }
}
