import { Injectable } from '@nestjs/common';
import { type ApiKeyId, fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  ApiKeyFamilyReader,
  type ApiKeyInFamily,
  type ApiKeyLineage,
} from '../application/workspace-api-keys';
import type { ApiKey } from '../domain/api-key';
import { ApiKeySchema } from './api-key.schema';

@Injectable()
export class PostgresApiKeyFamilyReader extends ApiKeyFamilyReader {
  private readonly statements: EntityStatements<ApiKey>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(ApiKeySchema);
  }

  async find(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyInFamily | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.toMember(row);
  }

  async namesOf(ref: WorkspaceRef, ids: readonly ApiKeyId[]): Promise<Map<ApiKeyId, string>> {
    const rows = await this.database.sql<{ id: string; name: string }>(
      `SELECT id, name FROM api_keys WHERE ${IN_WORKSPACE} AND id = ANY($3::uuid[])`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return new Map(rows.map(({ id, name }) => [fromUuid('key', id), name]));
  }

  list(ref: WorkspaceRef, request: PageRequest): Promise<Slice<ApiKeyInFamily>> {
    const parameters = new Parameters();
    const conditions = parameters.inWorkspace(ref);
    const source = this.statements.sortedBy('createdAt');
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.toMember(row),
    );
  }

  async hasUsed(workspaceId: WorkspaceId): Promise<boolean> {
    const found = await this.database.sql(
      'SELECT FROM api_keys WHERE workspace_id = $1 AND last_used_at IS NOT NULL LIMIT 1',
      [toUuid(workspaceId)],
    );
    return found.length > 0;
  }

  async descendants(ref: WorkspaceRef, id: ApiKeyId, now: Date): Promise<ApiKeyLineage['descendants']> {
    const rows = await this.database.sql<{ depth: number }>(
      `WITH RECURSIVE family AS (
         SELECT id AS member, 1 AS depth, ARRAY[id] AS path FROM api_keys
         WHERE ${IN_WORKSPACE} AND parent_id = $3
         UNION ALL
         SELECT child.id, depth + 1, path || child.id FROM api_keys child JOIN family ON child.parent_id = member
         WHERE ${IN_WORKSPACE}
       )
       SELECT ${this.statements.columns}, depth FROM family JOIN api_keys ON id = member
       WHERE ${IN_WORKSPACE} AND revoked_at IS NULL AND coalesce(least(expires_at, grace_ends_at) > $4, true)
       ORDER BY path`,
      [...workspaceKey(ref, id), now],
    );
    return rows.map((row) => ({ ...this.toMember(row), depth: row.depth }));
  }

  private toMember(row: object): ApiKeyInFamily {
    const key = this.statements.read(row);
    return { ...key.view(), parentId: key.parentId };
  }
}
