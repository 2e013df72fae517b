import { Injectable } from '@nestjs/common';
import { type ApiKeyId, fromUuid, type Id, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import {
  ApiKeyFamilyReader,
  type ApiKeyInFamily,
  type ApiKeyLineage,
} from '../application/workspace-api-keys';
import { API_KEY_COLUMNS, type ApiKeyRow, toView, visible } from './api-key-row';

interface Row extends ApiKeyRow {
  parent_id: string | null;
}

const COLUMNS = `${API_KEY_COLUMNS}, parent_id`;

@Injectable()
export class SqlApiKeyFamilyReader extends ApiKeyFamilyReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyInFamily | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM api_keys WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
    return row && toMember(row);
  }

  async namesOf(
    { workspaceId, mode }: WorkspaceRef,
    ids: readonly ApiKeyId[],
  ): Promise<Map<ApiKeyId, string>> {
    const rows = await this.database.query<{ id: string; name: string }>({
      text: 'SELECT id, name FROM api_keys WHERE workspace_id = $1 AND mode = $2 AND id = ANY($3::uuid[])',
      values: [toUuid(workspaceId), mode, ids.map(toUuid)],
    });
    return new Map(rows.map(({ id, name }) => [fromUuid('key', id), name]));
  }

  async list(ref: WorkspaceRef, request: PageRequest): Promise<Slice<ApiKeyInFamily>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: COLUMNS,
      from: 'api_keys',
      conditions: visible(ref, undefined, parameters),
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'key'>),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toMember);
  }

  async descendants(
    { workspaceId, mode }: WorkspaceRef,
    id: ApiKeyId,
    now: Date,
  ): Promise<ApiKeyLineage['descendants']> {
    const rows = await this.database.query<Row & { depth: number }>({
      text: `
        WITH RECURSIVE family AS (
          SELECT id AS member, 1 AS depth, ARRAY[id] AS path FROM api_keys
          WHERE workspace_id = $1 AND mode = $2 AND parent_id = $3
          UNION ALL
          SELECT child.id, depth + 1, path || child.id FROM api_keys child JOIN family ON child.parent_id = member
          WHERE workspace_id = $1 AND mode = $2
        )
        SELECT ${COLUMNS}, depth FROM family JOIN api_keys ON id = member
        WHERE workspace_id = $1 AND mode = $2 AND revoked_at IS NULL
          AND coalesce(least(expires_at, grace_ends_at) > $4, true)
        ORDER BY path`,
      values: [toUuid(workspaceId), mode, toUuid(id), now],
    });
    return rows.map((row) => ({ ...toMember(row), depth: row.depth }));
  }
}

function toMember(row: Row): ApiKeyInFamily {
  return { ...toView(row), parentId: row.parent_id === null ? null : fromUuid('key', row.parent_id) };
}
