import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { LeadField } from '../domain/lead-field';

export const LeadFieldSchema = new EntitySchema<LeadField>({
  name: 'LeadField',
  target: LeadField,
  tableName: 'lead_fields',
  columns: {
    ...workspaceColumns,
    id: idColumn('field', 'id', { primary: true }),
    key: { type: 'text' },
    label: { type: 'text' },
    description: { type: 'text', nullable: true },
    type: { type: 'text' },
    options: { type: 'json' },
    isRequired: { name: 'is_required', type: 'boolean' },
    position: { type: 'int' },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
