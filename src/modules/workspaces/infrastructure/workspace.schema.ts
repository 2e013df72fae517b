import { EntitySchema } from 'typeorm';
import { idColumn } from '../../../platform/persistence/id-column';
import { Workspace } from '../domain/workspace';

export const WorkspaceSchema = new EntitySchema<Workspace>({
  name: 'Workspace',
  target: Workspace,
  tableName: 'workspaces',
  columns: {
    id: idColumn('ws', 'id', { primary: true }),
    name: { type: 'text' },
    timeZone: { name: 'time_zone', type: 'text' },
    currency: { type: 'text' },
    locale: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});
