import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Space } from '../domain/space';

export const SpaceSchema = new EntitySchema<Space>({
  name: 'Space',
  target: Space,
  tableName: 'spaces',
  columns: {
    ...workspaceColumns,
    id: idColumn('space', 'id', { primary: true }),
    name: { type: 'text' },
    capacity: { type: 'int', nullable: true },
    setupMinutes: { name: 'setup_minutes', type: 'int' },
    clearingMinutes: { name: 'clearing_minutes', type: 'int' },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
