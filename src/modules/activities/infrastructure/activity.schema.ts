import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Activity } from '../domain/activity';

export const ActivitySchema = new EntitySchema<Activity>({
  name: 'Activity',
  target: Activity,
  tableName: 'activities',
  columns: {
    ...workspaceColumns,
    id: idColumn('act', 'id', { primary: true }),
    leadId: idColumn('lead', 'lead_id'),
    type: { type: 'text' },
    direction: { type: 'text', nullable: true },
    text: { type: 'text' },
    at: { name: 'at', type: 'timestamptz' },
    externalId: { name: 'external_id', type: 'text', nullable: true },
    author: { type: 'json' },
    editedAt: { name: 'edited_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
