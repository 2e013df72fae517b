import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { StoredFile } from '../domain/file';

export const FileSchema = new EntitySchema<StoredFile>({
  name: 'StoredFile',
  target: StoredFile,
  tableName: 'files',
  columns: {
    ...workspaceColumns,
    id: idColumn('file', 'id', { primary: true }),
    name: { type: 'text', nullable: true },
    type: { type: 'text' },
    width: { type: 'int' },
    height: { type: 'int' },
    bytes: { type: 'int' },
    renditions: { type: 'json' },
    publicToken: { name: 'public_token', type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});
