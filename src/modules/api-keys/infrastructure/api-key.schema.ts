import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { ApiKey } from '../domain/api-key';

export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    ...workspaceColumns,
    id: idColumn('key', 'id', { primary: true }),
    name: { type: 'text' },
    scopes: { type: 'text', array: true },
    hash: { type: 'bytea' },
    last4: { type: 'text' },
    parentId: idColumn('key', 'parent_id', { nullable: true }),
    firstId: idColumn('key', 'first_id', { nullable: true }),
    createdBy: { name: 'created_by', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    graceEndsAt: { name: 'grace_ends_at', type: 'timestamptz', nullable: true },
    // Written only by the usage recorder, not through the entity.
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true, insert: false, update: false },
    revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  },
});
