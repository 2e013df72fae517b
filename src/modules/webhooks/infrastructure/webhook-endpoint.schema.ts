import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

type Fields = Parameters<typeof WebhookEndpoint.from>[0];

/** An endpoint as it is stored, with encrypted secrets. */
export interface StoredEndpoint extends Omit<Fields, 'secret' | 'previousSecret'> {
  secret: Buffer;
  previousSecret: Buffer | null;
}

export const WebhookEndpointSchema = new EntitySchema<StoredEndpoint>({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  columns: {
    ...workspaceColumns,
    id: idColumn('wh', 'id', { primary: true }),
    url: { type: 'text' },
    events: { type: 'text', array: true },
    skipCauses: { name: 'skip_causes', type: 'text', array: true },
    description: { type: 'text', nullable: true },
    status: { type: 'text' },
    disabledReason: { name: 'disabled_reason', type: 'text', nullable: true },
    secret: { type: 'bytea' },
    previousSecret: { name: 'previous_secret', type: 'bytea', nullable: true },
    previousSecretEndsAt: { name: 'previous_secret_ends_at', type: 'timestamptz', nullable: true },
    failingSince: { name: 'failing_since', type: 'timestamptz', nullable: true },
    scopes: { type: 'text', array: true, nullable: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    verifiedAt: { name: 'verified_at', type: 'timestamptz', nullable: true },
    installationId: idColumn('inst', 'installation_id', { nullable: true }),
    createdAt: { name: 'created_at', type: 'timestamptz' },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
    revision: { type: 'int' },
  },
});
