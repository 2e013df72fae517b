import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { LostReason } from '../domain/lost-reason';

export const LostReasonSchema = new EntitySchema<LostReason>({
  name: 'LostReason',
  target: LostReason,
  tableName: 'lost_reasons',
  columns: {
    ...workspaceColumns,
    id: idColumn('reason', 'id', { primary: true }),
    name: { type: 'text' },
    archivedAt: { name: 'archived_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    revision: { type: 'int' },
  },
});
