import { EntitySchema } from 'typeorm';
import { idColumn, workspaceColumns } from '../../../platform/persistence/id-column';
import { Import } from '../domain/import';

/** Written and read in SQL alone. */
const IN_SQL = { nullable: true, select: false, insert: false, update: false };
const WORK_COLUMNS = {
  turn: { type: 'bigint', ...IN_SQL },
  droppedAt: { name: 'dropped_at', type: 'timestamptz', ...IN_SQL },
} as const;

export const ImportSchema = new EntitySchema<Import>({
  name: 'Import',
  target: Import,
  tableName: 'imports',
  columns: {
    ...workspaceColumns,
    id: idColumn('imp', 'id', { primary: true }),
    status: { type: 'text' },
    options: { type: 'json' },
    fileId: { name: 'file_id', type: 'uuid', nullable: true },
    claim: { type: 'uuid', nullable: true },
    checkId: { name: 'check_id', type: 'uuid', nullable: true },
    report: { type: 'json', nullable: true },
    nextBatch: { name: 'next_batch', type: 'int' },
    created: { type: 'int' },
    updated: { type: 'int' },
    unchanged: { type: 'int' },
    failed: { type: 'int' },
    failure: { type: 'json', nullable: true },
    attempts: { type: 'int' },
    dueAt: { name: 'due_at', type: 'timestamptz' },
    createdBy: { name: 'created_by', type: 'json' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    startedAt: { name: 'started_at', type: 'timestamptz', nullable: true },
    finishedAt: { name: 'finished_at', type: 'timestamptz', nullable: true },
    revision: { type: 'int' },
    ...WORK_COLUMNS,
  },
});
