import { EntitySchema } from 'typeorm';
import { idColumn } from '../../../platform/persistence/id-column';
import { Invitation } from '../domain/invitation';

export const InvitationSchema = new EntitySchema<Invitation>({
  name: 'Invitation',
  target: Invitation,
  tableName: 'invitations',
  columns: {
    workspaceId: idColumn('ws', 'workspace_id', { primary: true }),
    id: idColumn('inv', 'id', { primary: true }),
    email: { type: 'text' },
    emailKey: { name: 'email_key', type: 'text' },
    role: { type: 'text' },
    hash: { type: 'bytea' },
    invitedBy: idColumn('user', 'invited_by'),
    createdAt: { name: 'created_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
