import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { idColumn } from '../../../platform/persistence/id-column';
import { App } from '../domain/app';

/** Only the repository's SQL uses this column: deleted apps are never read. */
const DELETED_AT: Record<string, EntitySchemaColumnOptions> = {
  deletedAt: {
    ...{ name: 'deleted_at', type: 'timestamptz', nullable: true },
    ...{ select: false, insert: false, update: false },
  },
};

export const AppSchema = new EntitySchema<App>({
  name: 'App',
  target: App,
  tableName: 'oauth_apps',
  columns: {
    id: idColumn('app', 'id', { primary: true }),
    name: { type: 'text' },
    redirectUris: { name: 'redirect_uris', type: 'text', array: true },
    scopes: { type: 'text', array: true },
    allowedOrigins: { name: 'allowed_origins', type: 'text', array: true },
    secretHash: { name: 'secret_hash', type: 'bytea', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    ...DELETED_AT,
  },
});
